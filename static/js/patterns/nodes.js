// Specimens of the cluster: tiles, the map of many nodes, the pane around them.
import { h } from '../dom.js';
import { nodeTile, patchTile } from '../elements/node-tile.js';
import { nodeMap } from '../elements/node-map.js';
import '../elements/node-field.js';
import '../elements/node-grid.js';
import '../elements/pod-answers.js';

const MANY = 216;

// A cluster without nodes.
const NONE = { node_count: 0, groups: [], pods_bound: 0, pods_waiting: 0, cpu: 0, memory: 0, largest_free: { node: '' } };

export function nodeSections({ board }) {
  const [tile] = board.map.groups.flatMap((group) => group.tiles);
  const plain = { ...tile, verdict: undefined, lead: undefined, tie: undefined };
  const states = {
    feasible: { verdict: '' },
    leads: { verdict: '', lead: true },
    tied: { verdict: '', tie: true },
    refused: { verdict: 'cpu' },
    'refused for more': { verdict: 'cpu, 2 more' },
    'six owners': { pods: [[1, 2], [9, 2], [17, 2], [3, 1], [11, 1], [19, 1]], pod_count: 9 },
    tainted: { verdict: 'taint' },
    cordoned: { state: 'cordoned' },
    'not ready': { state: 'not_ready' },
    'over 100%': { cpu: 1.3, memory: 0.9 },
    'many pods': { pods: [[1, 12], [2, 9], [3, 8], [4, 30]], pod_count: 59 },
    empty: { pods: [], pod_count: 0, cpu: 0, memory: 0 },
  };
  const tiles = Array.from({ length: MANY }, (_, at) => ({
    ...plain,
    name: `node-${at}`,
    cpu: (at % 24) / 22,
    verdict: at % 17 === 3 ? 'cpu' : undefined,
    state: at % 53 === 7 ? 'not_ready' : 'ready',
    lead: at === 40,
  }));
  return [
    {
      title: 'node-tile',
      note: 'number, sign, pods by owner, two bars',
      columns: 'tiles',
      specimens: Object.entries(states).map(([text, change]) => ({ text, make: () => tileOf({ ...plain, ...change }) })),
    },
    {
      title: 'node-map',
      note: 'a square a node, from some hundred on',
      specimens: [{ text: `${MANY} nodes`, make: () => h('div', { class: 'node-map' }, nodeMap({ name: 'zone-a', tiles }, '#')) }],
    },
    {
      title: 'node-field',
      note: 'all nodes in groups, walked by arrows',
      wide: true,
      columns: 'two',
      specimens: [
        { text: 'two groups', make: () => fieldOf('') },
        { text: 'a node chosen', make: () => fieldOf('node-5') },
      ],
    },
    {
      title: 'node-grid',
      note: 'the pane of the cluster',
      wide: true,
      columns: 'two',
      specimens: [
        { text: 'by zone', tag: 'node-grid', looks: 'pane' },
        { text: 'no nodes', tag: 'node-grid', looks: 'pane', state: { map: { ...board.map, ...NONE } } },
      ],
    },
  ];
}

function fieldOf(chosen) {
  const names = Array.from({ length: 60 }, (_, at) => `node-${at}`);
  const blocks = [['general', 44, '61%'], ['arm', 16, '34%']].map(([name, count, percent]) => ({ name, count, percent, blocks: [] }));
  const share = names.map((_, at) => (at % 19 === 4 ? -1 : (at % 23) * 48));
  const state = names.map((_, at) => (at % 13 === 6 ? 1 : at % 17 === 9 ? 2 : 0)).join('');
  const field = h('node-field', { 'data-shade': 'cpu' });
  field.update({ shade: 'cpu', names, share, state, pods: names.map((_, at) => at % 9), blocks }, chosen);
  return field;
}

function tileOf(tile) {
  const node = nodeTile(tile, '#');
  patchTile(node, tile, { whole: true, letters: 8 });
  return node;
}
