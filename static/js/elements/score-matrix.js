// Rows nodes, columns algorithms: heads, names and totals are HTML, the cells between them a Plotly heatmap; or its table twin.
import { h, icon, redraw, setText, announce } from '../dom.js';
import { plural } from '../format.js';
import { order, totalsOf } from '../scores.js';
import { heads, totalHead } from './matrix-heads.js';
import { MatrixWindow } from './matrix-window.js';
import { TOTAL, twin } from './matrix-twin.js';
import { bindKeys } from './matrix-keys.js';
import { MatrixSearch } from './matrix-search.js';
import { rowHeight } from '../charts/heatmap-layout.js';
import { matrixTools } from './matrix-tools.js';
import { noteOf } from './matrix-note.js';
import { MatrixPlot, ready } from './matrix-plot.js';
import { TotalsWalk } from './totals-walk.js';
import { TwinWalk } from './twin-walk.js';
import { Arrivals } from './matrix-arrivals.js';

const RUNNING_ROWS = 50;

class ScoreMatrix extends HTMLElement {
  static measures = true;

  start(store, { base, explain }) {
    this.store = store;
    this.base = base;
    this.large = this.dataset.size === 'l';
    const ui = (change) => store.dispatch({ type: 'ui', ui: change });
    this.explain = (row, at) => {
      const { rows, algorithms } = this.cycle;
      if (rows.bins[row] === 1) explain?.(this.cycle, rows.names[row], at === TOTAL ? null : algorithms[at].name);
    };
    this.search = new MatrixSearch(store, base);
    bindKeys(this, ui);
    this.build(ui);
    this.arrivals = new Arrivals(() => {
      this.cycle = this.arrivals.of(this.arrivals.last);
      this.draw();
    });
    this.plot = new MatrixPlot(this.middle, this.host, { explain: this.explain, say: announce });
    this.sums = new TotalsWalk(this.totals, this.plot.cursor);
    new ResizeObserver(([{ contentRect }]) => {
      if (!contentRect.width || contentRect.width === this.plot.width) return; // 0: hidden
      this.plot.width = contentRect.width;
      this.plot.redrawSoon();
    }).observe(this.middle);
    document.addEventListener('themechange', () => this.plot.redraw());
    if (store.state.ui.view === 'heatmap') ready();
  }

  build(ui) {
    this.tools = matrixTools(ui, this.large);
    this.note = h('div', { class: 'banner matrix-note', hidden: true });
    this.heads = h('div', { class: 'score-matrix-heads' });
    this.labels = h('div', { class: 'matrix-labels', role: 'list', 'aria-label': 'Nodes' });
    this.host = h('div', { class: 'matrix-plot', role: 'img' });
    this.middle = h('div', { class: 'matrix-middle' }, this.host);
    const open = ({ target }) => this.explain(this.cycle.rows.names.indexOf(target.closest('.cell-open')?.parentElement.dataset.node), TOTAL);
    this.totals = h('div', { class: 'matrix-totals', role: 'list', 'aria-label': 'Totals', onclick: open });
    this.frame = h('div', { class: 'matrix-win', hidden: true });
    const body = h('div', { class: 'matrix-body' }, this.labels, this.middle, this.totals, this.frame);
    this.window = new MatrixWindow(body, this.labels, this.totals, this.base);
    this.heat = h('div', { class: 'matrix-heat' }, this.heads, body);
    this.twin = h('div', { class: 'data-table-wrap' });
    this.walk = new TwinWalk(this.twin);
    this.more = h('p', { class: 'queue-lane-more matrix-rest', hidden: true });
    this.classList.add('score-matrix');
    this.replaceChildren(this.tools.root, this.note, this.heat, this.twin, this.more);
  }

  update(state) {
    const cycle = this.search.of(state.shown ?? state.cycle, state);
    const running = !this.large && state.cluster.wanted === 'running';
    const key = [cycle, running, state.ui.layer, state.ui.view, state.ui.sort, state.ui.find, state.ui.cell];
    if (this.drawn?.every((value, at) => value === key[at])) return;
    this.drawn = key;
    this.hidden = !cycle;
    if (!cycle) return;
    this.cycle = this.arrivals.of(cycle);
    this.ui = state.ui;
    this.running = running;
    this.words(cycle, state.ui);
    this.turned(() => this.draw());
  }

  // Where cells are walked over now: the table or the heatmap.
  spot() {
    return this.ui?.view === 'table' ? this.walk : this.plot.cursor;
  }

  // Who stood in a cell of the heatmap stands in the same one of the table, and the other way round.
  turned(draw) {
    const place = this.plot.cursor.held() ?? this.sums.held() ?? this.walk.held();
    draw();
    if (place && this.view !== this.ui.view) this.spot().focus(place.name, place.x);
    this.view = this.ui.view;
  }

  words(cycle, ui) {
    this.tools.show(cycle, ui);
    const note = noteOf(cycle);
    this.note.hidden = !note;
    this.note.replaceChildren(icon('info'), h('p', {}, note));
  }

  // Labels, cells and totals of the same rows in the same order and height.
  draw() {
    const { cycle, ui } = this;
    if (!cycle || !this.isConnected) return;
    const sums = totalsOf(cycle);
    const needle = ui.find.toLowerCase();
    let rows = cycle.rows.names.length
      ? order(cycle, sums.totals, ui.sort, ui.layer === 'total' ? 'weighted' : ui.layer)
      : [];
    if (needle) rows = rows.filter((row) => cycle.rows.names[row].toLowerCase().includes(needle));
    // While it runs, cycles follow each other too fast to read to the end of a long matrix.
    const rest = this.running ? rows.splice(RUNNING_ROWS).length : 0;
    this.more.hidden = !rest;
    setText(this.more, `${plural(rest, 'more node')}: pause to see them`);
    const table = ui.view === 'table';
    this.twin.hidden = !table || !rows.length;
    this.heat.hidden = table || !rows.length;
    this.tools.root.hidden = !cycle.rows.names.length;
    if (table) {
      redraw(this.twin, twin(cycle, rows, ui, sums, { store: this.store, base: this.base, explain: this.explain }));
      this.walk.settle();
    } else if (rows.length) this.drawHeat(cycle, ui, rows, sums);
  }

  drawHeat(cycle, ui, rows, sums) {
    const height = rowHeight(rows.length);
    const view = { layer: ui.layer, order: rows, rowHeight: height, open: ui.cell, soon: this.running };
    this.plot.draw(cycle, view); // first: see charts/plot.js
    this.window.draw(cycle, rows, sums, height);
    this.style.setProperty('--row-h', `${height}px`);
    const longest = rows.reduce((most, row) => Math.max(most, cycle.rows.names[row].length), 0);
    this.style.setProperty('--name', `${Math.min(22, longest)}ch`);
    this.style.setProperty('--n', cycle.algorithms.length);
    redraw(this.heads, h('div', { class: 'head-node' }, 'node'), heads(cycle, ui, this.store), totalHead(sums));
    const leader = cycle.winner
      ? cycle.rows.names.indexOf(cycle.winner)
      : sums.totals
        ? rows.reduce((best, row) => (sums.totals[row] > sums.totals[best] ? row : best), rows[0])
        : -1;
    const at = rows.indexOf(leader);
    this.frame.hidden = at < 0;
    this.frame.style.setProperty('--at', at);
  }
}

customElements.define('score-matrix', ScoreMatrix);
