// Rows nodes, columns algorithms: heads, names and totals are HTML, the cells between them a Plotly heatmap; or its table twin.
import { h, icon, keyed, setProps, setText, announce } from '../dom.js';
import { plural } from '../format.js';
import { column, order, totalsOf } from '../scores.js';
import { bind } from '../keys.js';
import { heads, totalHead } from './matrix-heads.js';
import { labelRow, totalRow } from './matrix-rows.js';
import { twin } from './matrix-twin.js';
import { NUMBERS_UP_TO } from '../charts/heatmap.js';
import { MatrixPlot } from './matrix-plot.js';

const LAYERS = [['raw', 'Raw', 'map'], ['normalized', 'Normalised', 'reduce'], ['weighted', 'Weighted', ''], ['total', 'Total', '']];
const RUNNING_ROWS = 50;
const SORTS = [['total', 'by total'], ['name', 'by name'], ['zone', 'by zone']];

class ScoreMatrix extends HTMLElement {
  start(store, { base, explain }) {
    this.store = store;
    this.base = base;
    this.large = this.dataset.size === 'l';
    const ui = (change) => store.dispatch({ type: 'ui', ui: change });
    this.explain = (row, at) => {
      const cycle = store.state.shown ?? store.state.cycle;
      if (cycle.rows.bins[row] === 1) explain?.(cycle, cycle.rows.names[row], cycle.algorithms[at].name);
    };
    LAYERS.forEach(([layer, text], at) => bind(String(at + 1), `layer: ${text.toLowerCase()}`, () => ui({ layer })));
    bind('T', 'heatmap or table', () => ui({ view: this.store.state.ui.view === 'table' ? 'heatmap' : 'table' }));
    this.build(ui);
    if (this.large) bind('/', 'find a node', () => this.find.focus());
    this.plot = new MatrixPlot(this.host, { explain: this.explain, say: announce });
    new ResizeObserver(() => this.draw(true)).observe(this.middle);
    document.addEventListener('themechange', () => this.draw(true));
  }

  build(ui) {
    this.layers = LAYERS.map(([layer, text, phase], at) => h('button', { type: 'button', 'data-layer': layer, title: `${text}  ${at + 1}`, onclick: () => ui({ layer }) }, text, phase && this.large ? h('span', { class: 'dim hide-m' }, ` ${phase}`) : ''));
    this.views = [['heatmap', 'heat', 'Heatmap'], ['table', 'table', 'Table']].map(([view, sign, text]) => h('button', { type: 'button', 'data-view': view, 'aria-label': text, title: `${text}  T`, onclick: () => ui({ view }) }, icon(sign)));
    this.sort = h('select', { class: 'select select-quiet', 'aria-label': 'Sort rows', onchange: () => ui({ sort: Number.isNaN(Number(this.sort.value)) ? this.sort.value : Number(this.sort.value) }) });
    this.facts = h('span', { class: 'dim hide-s matrix-facts' });
    this.find = h('input', { class: 'input', placeholder: 'Find a node', 'aria-label': 'Find a node', type: 'search', oninput: () => ui({ find: this.find.value.trim() }) });
    const segmented = (text, parts) => h('div', { class: 'segmented', role: 'group', 'aria-label': text }, parts);
    this.tools = h('div', { class: 'score-matrix-tools' }, segmented('Layer', this.layers), this.sort, this.facts, h('span', { class: 'push' }), h('div', { class: 'filter matrix-find' }, icon('search'), this.find), segmented('Heatmap or table', this.views));
    this.note = h('div', { class: 'banner matrix-note', hidden: true });
    this.heads = h('div', { class: 'score-matrix-heads' });
    this.labels = h('div', { class: 'matrix-labels' });
    this.host = h('div', { class: 'matrix-plot', tabindex: '0', role: 'img' });
    this.middle = h('div', { class: 'matrix-middle' }, this.host);
    this.totals = h('div', { class: 'matrix-totals' });
    this.frame = h('div', { class: 'matrix-win', hidden: true });
    this.heat = h('div', { class: 'matrix-heat' }, this.heads, h('div', { class: 'matrix-body' }, this.labels, this.middle, this.totals, this.frame));
    this.twin = h('div', { class: 'data-table-wrap' });
    this.more = h('p', { class: 'queue-lane-more matrix-rest', hidden: true });
    this.classList.add('score-matrix');
    this.replaceChildren(this.tools, this.note, this.heat, this.twin, this.more);
  }

  update(state) {
    const cycle = state.shown ?? state.cycle;
    const running = !this.large && state.cluster.wanted === 'running';
    const key = [cycle, running, state.ui.layer, state.ui.view, state.ui.sort, state.ui.find, state.ui.cell];
    if (this.drawn?.every((value, at) => value === key[at])) return;
    this.drawn = key;
    this.hidden = !cycle;
    if (!cycle) return;
    this.cycle = cycle;
    this.ui = state.ui;
    this.running = running;
    this.words(cycle, state.ui);
    this.draw();
  }

  words(cycle, ui) {
    for (const button of this.layers) setProps(button, { 'aria-pressed': String(button.dataset.layer === ui.layer) });
    for (const button of this.views) setProps(button, { 'aria-pressed': String(button.dataset.view === ui.view) });
    const sorts = [...SORTS, ...cycle.algorithms.flatMap((algorithm, at) => (column(cycle, at, 'raw').kind === 'skip' ? [] : [[at, `by ${algorithm.short}`]]))];
    this.sort.replaceChildren(...sorts.map(([value, text]) => h('option', { value, selected: String(value) === String(ui.sort) }, text)));
    setText(this.facts, `${plural(cycle.node_count, 'node')} → ${cycle.feasible.toLocaleString('en-US')} feasible`);
    const note = noteOf(cycle);
    this.note.hidden = !note;
    this.note.replaceChildren(icon('info'), h('p', {}, note));
  }

  // Labels, cells and totals of the same rows in the same order and height.
  draw(again = false) {
    const { cycle, ui } = this;
    if (!cycle || !this.isConnected) return;
    const sums = totalsOf(cycle);
    const needle = ui.find.toLowerCase();
    let rows = cycle.rows.names.length ? order(cycle, sums.totals, ui.sort, ui.layer === 'total' ? 'weighted' : ui.layer) : [];
    if (needle) rows = rows.filter((row) => cycle.rows.names[row].toLowerCase().includes(needle));
    // While it runs, cycles follow each other too fast to read to the end of a long matrix.
    const rest = this.running ? rows.splice(RUNNING_ROWS).length : 0;
    this.more.hidden = !rest;
    setText(this.more, `${plural(rest, 'more node')}: pause to see them`);
    const table = ui.view === 'table';
    this.twin.hidden = !table || !rows.length;
    this.heat.hidden = table || !rows.length;
    this.tools.hidden = !cycle.rows.names.length;
    if (table) this.twin.replaceChildren(twin(cycle, rows, ui, sums, { store: this.store, base: this.base, explain: this.explain }));
    else if (rows.length) this.drawHeat(cycle, ui, rows, sums, again);
  }

  drawHeat(cycle, ui, rows, sums, again) {
    const height = rows.length <= NUMBERS_UP_TO ? (this.large ? 24 : 22) : 16;
    this.style.setProperty('--row-h', `${height}px`);
    const longest = rows.reduce((most, row) => Math.max(most, cycle.rows.names[row].length), 0);
    this.style.setProperty('--name', `${Math.min(22, longest)}ch`);
    this.style.setProperty('--n', cycle.algorithms.length);
    this.heads.replaceChildren(h('div', { class: 'head-node' }, 'node'), heads(cycle, ui, this.store), totalHead(sums));
    keyed(this.labels, rows, (row) => cycle.rows.names[row], () => labelRow(), (node, row) => labelRow(node, cycle, row, sums, this.base));
    keyed(this.totals, rows, (row) => cycle.rows.names[row], () => totalRow(), (node, row) => totalRow(node, cycle, row, sums));
    const leader = cycle.winner ? cycle.rows.names.indexOf(cycle.winner) : sums.totals ? rows.reduce((best, row) => (sums.totals[row] > sums.totals[best] ? row : best), rows[0]) : -1;
    const at = rows.indexOf(leader);
    this.frame.hidden = at < 0;
    this.frame.style.setProperty('--at', at);
    this.plot.draw(cycle, { layer: ui.layer, order: rows, rowHeight: height, open: ui.cell }, again);
  }
}

function noteOf(cycle) {
  if (cycle.scoring_skipped) return sentenceCase(cycle.scoring_skipped);
  if (cycle.rows.names.length) return '';
  if (cycle.feasible === 0 && (cycle.evaluated > 0 || cycle.outcome !== 'open')) return `None of ${plural(cycle.node_count, 'node')} passed the filters, so nothing was scored.`;
  if (cycle.outcome === 'open') return 'Scores appear once the filters have run.';
  return 'Nothing was scored in this cycle.';
}

const sentenceCase = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

customElements.define('score-matrix', ScoreMatrix);
