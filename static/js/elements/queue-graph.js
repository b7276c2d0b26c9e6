// The lanes as a graph: what is in each, and how many pods went from one to another. Each line opens its moves.
import { h, keyed, s, setProps, setText } from '../dom.js';
import { bind } from '../keys.js';
import { count, plural } from '../format.js';
import { graph } from './queue-graph-layout.js';
import { edgeTable } from './queue-graph-table.js';
import { WORDS } from './queue-words.js';

const LABELLED = 2; // causes written on a line before "+n"

class QueueGraph extends HTMLElement {
  start(store, { base }) {
    this.store = store;
    this.base = base;
    this.phone = matchMedia('(max-width: 900px)');
    this.phone.addEventListener('change', () => this.redraw());
    this.lines = s('g');
    this.places = s('g');
    this.labels = s('g');
    const layers = [s('defs', {}, arrow()), this.lines, this.places, this.labels];
    this.plot = s('svg', { class: 'queue-graph', role: 'group' }, ...layers);
    this.twin = h('div', { class: 'data-table-wrap', tabindex: '0', role: 'region', 'aria-label': 'Table of moves' });
    this.replaceChildren(this.plot, this.twin);
    bind('T', 'diagram or table', () => this.turn());
    for (const button of document.querySelectorAll('[data-graph-view]'))
      button.addEventListener('click', () => this.turn(button.dataset.graphView));
  }

  turn(view = this.store.state.ui.view === 'table' ? 'graph' : 'table') {
    this.store.dispatch({ type: 'ui', ui: { view } });
  }

  redraw() {
    this.drawn = null;
    this.update(this.store.state);
  }

  update({ flow, ui }) {
    const table = ui.view === 'table';
    for (const button of document.querySelectorAll('[data-graph-view]'))
      setProps(button, { 'aria-pressed': String((button.dataset.graphView === 'table') === table) });
    setProps(this.plot, { hidden: table });
    setProps(this.twin, { hidden: !table });
    if (this.drawn === flow && this.asTable === table) return;
    [this.before, this.drawn, this.asTable] = [this.drawn, flow, table];
    if (table) this.twin.replaceChildren(edgeTable(flow, this.base, this.at()));
    else this.draw(graph(flow, this.phone.matches));
  }

  draw({ view, places, lines }) {
    const [narrow, words] = [this.phone.matches, spoken(places)];
    setProps(this.plot, { viewBox: view.join(' '), 'data-narrow': narrow, 'aria-label': words });
    const byKey = (one) => one.key;
    const line = () => s('path', { 'marker-end': 'url(#arrow)' });
    keyed(this.lines, lines, byKey, line, put);
    const make = (one) => this.place(one);
    keyed(this.places, places, ({ name }) => name, make, placed);
    const counted = lines.filter(({ edge }) => edge);
    const label = (one) => this.label(one);
    keyed(this.labels, counted, byKey, label, (node, one) => this.told(node, one));
  }

  place({ name }) {
    const parts = { box: s('rect', { rx: 6 }), title: s('text', { class: 'title' }), figure: s('text', { class: 'figure' }) };
    const elsewhere = { bound: 'pods/', new: 'moves/?from=new', gone: 'moves/?to=gone' }[name];
    const lane = `#lane-${name === 'error_backoff' ? 'backoff' : name}`;
    const href = elsewhere ? this.base + elsewhere : lane;
    const node = s('a', { href, 'data-place': name }, ...Object.values(parts));
    node.parts = parts;
    return node;
  }

  label({ edge }) {
    const parts = {
      title: s('title'),
      pill: s('rect', { rx: 8, height: 20 }),
      figure: s('text', { class: 'figure' }),
      why: s('text', { class: 'why' }),
    };
    const query = new URLSearchParams({ from: edge.source, to: edge.target, ...this.at() });
    const node = s('a', { href: `${this.base}moves/?${query}` }, ...Object.values(parts));
    node.parts = parts;
    return node;
  }

  at() {
    const { past, cluster } = this.store.state;
    return past ? { at: cluster.seq } : {};
  }

  told(node, { edge, at: [x, y], aside }) {
    const { title, pill, figure, why } = node.parts;
    const text = count(edge.count);
    const known = node.count;
    node.count = edge.count;
    setText(title, causes(edge));
    setText(figure, text);
    setText(why, this.phone.matches ? '' : short(edge));
    const width = 14 + 7 * text.length;
    setProps(pill, { x: (x - width / 2).toFixed(1), y: (y - 10).toFixed(1), width });
    setProps(figure, { x: x.toFixed(1), y: (y + 4).toFixed(1) });
    setProps(why, { x: (x + aside).toFixed(1), y: (y + 23).toFixed(1) });
    setProps(node, { 'aria-label': causes(edge), 'data-fresh': known !== undefined && known !== edge.count });
  }
}

function put(path, { d, edge }) {
  setProps(path, { d, 'data-empty': !edge });
}

function placed(node, { name, box: [x, y, width, height], count: pods }) {
  const { box, title, figure } = node.parts;
  const low = height < 50;
  setProps(box, { x, y, width, height });
  setText(title, WORDS[name]);
  setProps(title, { x: x + 12, y: y + (pods === null ? height / 2 + 4 : 22) });
  setText(figure, pods === null ? '' : count(pods));
  setProps(figure, { x: x + 12, y: y + (low ? height - 6 : 46) });
  const words = pods === null ? WORDS[name] : `${WORDS[name]}: ${plural(pods, 'pod')}`;
  setProps(node, { 'data-empty': !pods, 'aria-label': words });
}

const label = ({ cause, hint }) => (hint ? `${cause} (${hint})` : cause);

function causes(edge) {
  const told = edge.causes.map((one) => `${label(one)} ${count(one.count)}`);
  return `${WORDS[edge.source]} to ${WORDS[edge.target]}, ${plural(edge.count, 'move')}: ${told.join(', ')}`;
}

function short({ causes: all }) {
  const names = [...new Set(all.map(({ cause }) => cause))];
  const rest = names.length - LABELLED;
  return names.slice(0, LABELLED).join(', ') + (rest > 0 ? ` +${rest}` : '');
}

function spoken(places) {
  const told = places.filter((one) => one.count !== null).map((one) => `${WORDS[one.name]} ${count(one.count)}`);
  return `Lanes and moves. ${told.join(', ')}. Each line is a link to its moves; the table has the same figures.`;
}

function arrow() {
  const size = { markerWidth: 7, markerHeight: 7, refX: 7, refY: 4 };
  const tip = s('path', { d: 'M0 0 8 4 0 8z' });
  return s('marker', { id: 'arrow', viewBox: '0 0 8 8', orient: 'auto', ...size }, tip);
}

customElements.define('queue-graph', QueueGraph);
