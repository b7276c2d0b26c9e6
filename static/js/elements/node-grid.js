// The cluster: nodes by zone as tiles, or as one map when they are many; with what the cycle says of each.
import { h, keyed, setProps, setText } from '../dom.js';
import { percent, plural } from '../format.js';
import { figures, key, noNodes, zone } from './cluster-figures.js';
import { nodeTile, patchTile } from './node-tile.js';
import { nodeMap } from './node-map.js';
import { naming } from './tile-names.js';
import { judges, unjudged, verdictsOf } from './verdict-age.js';
import { VerdictNote } from './verdict-note.js';
import { answered } from '../answers.js';
import { visit, walkTiles } from './walk.js';

const TILES_UP_TO = 600; // more nodes than this start as a map
const VIEWS = [
  ['tiles', 'Tiles'],
  ['map', 'Map'],
];

class NodeGrid extends HTMLElement {
  start(store, { base }) {
    this.base = base;
    this.total = h('span', { class: 'dim' });
    this.note = new VerdictNote(store);
    this.views = VIEWS.map(([map, text]) =>
      h(
        'button',
        { type: 'button', 'data-view': map, onclick: () => store.dispatch({ type: 'ui', ui: { map } }) },
        text,
      ),
    );
    this.stats = h('dl', { class: 'stat-strip cluster-stats' });
    this.zones = h('div', { class: 'node-zones' });
    this.zones.addEventListener('keydown', (event) => walkTiles(this.zones, event));
    this.zones.addEventListener('focusin', ({ target }) => target.matches('.node-tile') && visit(this.zones, target));
    this.append(
      h(
        'header',
        { class: 'pane-head' },
        h('h2', {}, 'Cluster'),
        this.total,
        h('span', { class: 'push' }),
        h(
          'div',
          { class: 'segmented', role: 'group', 'aria-label': 'View' },
          this.views,
          h('a', { href: `${base}nodes/` }, 'Table'),
        ),
      ),
      h(
        'div',
        { class: 'pane-body', tabindex: '0', role: 'group', 'aria-label': 'Nodes' },
        this.stats,
        this.note.root,
        h('pod-answers'),
        this.zones,
        (this.key = h('div', { class: 'cluster-key' })),
      ),
    );
  }

  update({ map: plain, ui, cycle, marks, cluster, answers }) {
    const shown = judges(cycle, ui);
    const map = this.seen(plain, ui.picked ? answers : null, !shown);
    this.note.tell(ui.picked ? [] : plain.groups, verdictsOf(cycle, marks, cluster.seq), shown);
    if (map === this.drawnMap && ui.map === this.drawnView) return;
    const view = ui.map === 'auto' ? (map.node_count > TILES_UP_TO ? 'map' : 'tiles') : ui.map;
    if (view !== this.view) {
      this.fresh();
      this.key.replaceChildren(...key(view));
    }
    [this.drawnMap, this.drawnView, this.view] = [map, ui.map, view];
    setText(this.total, plural(map.node_count, 'node'));
    for (const button of this.views) setProps(button, { 'aria-pressed': String(button.dataset.view === view) });
    this.stats.replaceChildren(...figures(map, cluster.pods_foreign));
    this.key.hidden = !map.node_count;
    this.toggleAttribute('data-cycle', cycle?.outcome === 'open');
    if (!map.node_count) return this.empty();
    this.name(map);
    keyed(
      this.zones,
      map.groups,
      (group) => `zone ${group.name}`,
      () => zone(),
      (node, group) => this.zone(node, group, view, map),
    );
    const first = view === 'tiles' && !this.zones.querySelector('.node-tile[tabindex="0"]') && this.zones.querySelector('.node-tile');
    if (first) first.tabIndex = 0;
  }

  // The map as the picked pod's answers have it, or without the verdicts that were put away; made once for each pair.
  seen(map, answers, plain) {
    if (!answers && !plain) return map;
    const of = answers ?? 'plain';
    if (this.of !== of || this.plain !== map) {
      [this.of, this.plain] = [of, map];
      this.made = answers ? answered(map, answers) : unjudged(map);
    }
    return this.made;
  }

  // Where names become longer or shorter, every tile is told anew.
  name(map) {
    const wanted = naming(map.groups);
    if (this.naming?.whole !== wanted.whole || this.naming.letters !== wanted.letters) this.fresh();
    this.naming = wanted;
    this.zones.style.setProperty('--letters', wanted.letters);
  }

  fresh() {
    this.zones.replaceChildren();
    this.zones.keyedNodes = new Map();
  }

  empty() {
    this.fresh();
    this.zones.append(noNodes());
  }

  zone(node, group, view, map) {
    if (node.drawnGroup === group) return;
    node.drawnGroup = group;
    const [name, note, shares] = node.firstChild.children;
    const judged = group.tiles.filter((tile) => tile.verdict !== undefined);
    const feasible = judged.filter((tile) => tile.verdict === '').length;
    setText(name, group.name || 'no zone');
    setText(note, judged.length ? `${plural(group.count, 'node')}, ${feasible} feasible` : plural(group.count, 'node'));
    setText(shares, `cpu ${percent(group.cpu)} mem ${percent(group.memory)}`);
    const grid = node.lastChild;
    setProps(grid, { class: view === 'map' ? 'node-map' : 'node-zone-grid' });
    if (view === 'map') grid.replaceChildren(nodeMap(group, this.base));
    else
      keyed(
        grid,
        group.tiles,
        (tile) => tile.name,
        (tile) => nodeTile(tile, this.base),
        (made, tile) => patchTile(made, tile, this.naming),
      );
  }
}

customElements.define('node-grid', NodeGrid);
