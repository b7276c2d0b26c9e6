// Specimens of the queues: cards, lanes, the lanes in full, the graph of moves.
import { h } from '../dom.js';
import { patchCard, podCard } from '../elements/pod-card.js';
import '../elements/queue-lanes.js';
import '../elements/lane-table.js';
import '../elements/queue-graph.js';

const SECOND = 1_000_000;
const CYCLE = 'Reduce, cycle 3';

export function queueSections(sample) {
  const { board } = sample;
  const first = (lane) => board.lanes.find((one) => one.name === lane).cards[0];
  const now = board.cluster.now_us;
  const backoff = { backoff_start_us: now - 2 * SECOND, backoff_end_us: now + 2 * SECOND };
  const card = (text, lane, one, arrived = false) => ({ text, make: () => cardOf(one, lane, now, arrived) });
  const empty = board.lanes.map((lane) => ({ ...lane, count: 0, cards: [] }));
  return [
    {
      title: 'pod-card',
      note: 'line 1 who, line 2 why; point at one, or Tab to it',
      wide: true,
      columns: 'three',
      specimens: [
        card('next', 'active', { ...first('active'), rank: 1 }),
        card('waiting', 'active', { ...first('active'), key: 'a-long-namespace/with-a-name-that-does-not-fit', rank: 12 }),
        card('in flight', 'in_flight', first('active')),
        card('just arrived', 'active', { ...first('active'), attempts: 2, why: 'NodeAdd, NodeResourcesFit', rank: 3 }, true),
        card('nominated', 'active', { ...first('active'), nominated_node: 'node-004', rank: 2 }),
        card('backoff', 'backoff', { ...first('backoff'), ...backoff }),
        card('unschedulable', 'unschedulable', first('unschedulable')),
        card('gated', 'gated', first('gated')),
      ],
    },
    {
      title: 'queue-lanes',
      note: 'in the exact order of the scheduler',
      wide: true,
      columns: 'three',
      specimens: [
        { text: 'with pods', tag: 'queue-lanes', looks: 'pane' },
        { text: 'filtered', tag: 'queue-lanes', looks: 'pane', ui: { filter: 'job-5' } },
        { text: 'empty', tag: 'queue-lanes', looks: 'pane', state: { lanes: empty } },
      ],
    },
    {
      title: 'lane-table',
      note: 'a lane in full; each row opens',
      wide: true,
      specimens: ['active', 'backoff', 'unschedulable', 'gated', 'in_flight'].map((lane) => ({
        text: lane.replace('_', ' '),
        tag: 'lane-table',
        props: { 'data-lane': lane, 'aria-label': `Lane ${lane}` },
      })),
    },
    {
      title: 'queue-graph',
      note: 'places, and how many pods went from one to another',
      wide: true,
      specimens: [{ text: 'with moves', tag: 'queue-graph', ui: { view: 'graph' } }],
    },
  ];
}

// A card stands in its lane: what it shows depends on that.
function cardOf(card, lane, nowUs, arrived) {
  const node = podCard('#', card);
  patchCard(node, card, { lane, nowUs, arrived: new Set(arrived ? [card.key] : []), cycle: CYCLE });
  return h('div', { 'data-lane': lane }, node);
}
