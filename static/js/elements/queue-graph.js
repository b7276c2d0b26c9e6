// The lanes as a graph: what is in each, and how many pods went from one to another. Each line opens its moves.
import { h, keyed, s, setProps, setText } from '../dom.js';
import { bind } from '../keys.js';
import { count } from '../format.js';
import { graph } from './queue-graph-layout.js';
import { arrow, lineOf, placeOf, setLine, setPlace } from './queue-graph-parts.js';
import { edgeTable } from './queue-graph-table.js';
import { WORDS, placeHref } from './queue-words.js';

const [LEAST, MOST] = [820, 1500]; // px: a narrower element shows the table, a wider one leaves room at both sides
const LETTERS = 11; // px, the height of words on lines

class QueueGraph extends HTMLElement {
  start(store, { base }) {
    this.store = store;
    this.base = base;
    this.lines = s('g');
    this.places = s('g');
    this.plot = s('svg', { class: 'queue-graph', role: 'group' }, s('defs', {}, arrow()), this.lines, this.places);
    this.others = h('p', { class: 'queue-graph-others dim', hidden: true });
    this.twin = h('div', { class: 'data-table-wrap', tabindex: '0', role: 'region', 'aria-label': 'Table of moves' });
    this.replaceChildren(this.plot, this.others, this.twin);
    this.buttons = document.querySelectorAll('[data-graph-view]');
    bind('T', 'diagram or table', () => this.turn());
    for (const button of this.buttons) button.addEventListener('click', () => this.turn(button.dataset.graphView));
    this.measure = measuring(this);
    this.width = this.clientWidth;
    new ResizeObserver(() => this.fit()).observe(this);
  }

  turn(view = this.store.state.ui.view === 'table' ? 'graph' : 'table') {
    this.store.dispatch({ type: 'ui', ui: { view } });
  }

  fit() {
    if (!this.clientWidth || this.clientWidth === this.width) return;
    this.width = this.clientWidth;
    this.drawn = null;
    this.update(this.store.state);
  }

  update({ flow, ui }) {
    const narrow = this.width > 0 && this.width < LEAST;
    const table = narrow || ui.view === 'table';
    for (const button of this.buttons) {
      setProps(button, { 'aria-pressed': String((button.dataset.graphView === 'table') === table) });
      setProps(button.parentElement, { hidden: narrow });
    }
    setProps(this.plot, { hidden: table });
    setProps(this.twin, { hidden: !table });
    if (this.drawn === flow && this.asTable === table) return;
    [this.drawn, this.asTable] = [flow, table];
    if (table) {
      this.others.hidden = true;
      this.twin.replaceChildren(...edgeTable(flow, this.base, this.at()));
    } else this.draw(graph(flow, Math.min(MOST, this.width || MOST), this.measure));
  }

  draw({ width, height, places, lines, others }) {
    setProps(this.plot, { viewBox: `0 0 ${width} ${height}`, 'aria-label': spoken(places) });
    keyed(this.lines, lines, ({ key, edge }) => `${key}${edge ? '' : ' nobody'}`, (one) => this.line(one), setLine);
    keyed(this.places, places, ({ name }) => name, ({ name }) => placeOf(name, placeHref(this.base, name)), setPlace);
    setProps(this.others, { hidden: !others.length });
    setText(this.others, `Not drawn, but in the table: ${others.map(between).join(', ')}.`);
  }

  line({ edge }) {
    return lineOf(edge && `${this.base}moves/?${new URLSearchParams({ from: edge.source, to: edge.target, ...this.at() })}`);
  }

  at() {
    const { past, cluster } = this.store.state;
    return past ? { at: cluster.seq } : {};
  }
}

const between = ({ source, target, count: moves }) => `${WORDS[source]} to ${WORDS[target]} ${count(moves)}`;

function spoken(places) {
  const all = places.filter((one) => one.count !== null).map((one) => `${WORDS[one.name]} ${count(one.count)}`);
  return `Lanes and moves. ${all.join(', ')}. Each line is a link to its moves; the table has the same figures.`;
}

// How wide a text on a line is, in px.
function measuring(element) {
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = `${LETTERS}px ${getComputedStyle(element).fontFamily}`;
  return (text) => pen.measureText(text).width;
}

customElements.define('queue-graph', QueueGraph);
