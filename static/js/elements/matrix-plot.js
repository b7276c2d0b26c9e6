// The cells of the score matrix: the Plotly heatmap, a cell to open by mouse or by arrow keys, a sentence for readers.
import { draw, downloadPng, look } from '../charts/plot.js';
import { heatmap } from '../charts/heatmap.js';
import { column, totalsOf } from '../scores.js';
import { plural } from '../format.js';

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class MatrixPlot {
  constructor(host, { explain, say }) {
    this.host = host;
    this.explain = explain;
    this.say = say;
    this.cursor = null;
    this.width = 0; // px; as the element around it was last seen
    host.addEventListener('keydown', (event) => this.key(event));
    host.addEventListener('blur', () => {
      this.cursor = null;
      this.redraw();
    });
  }

  draw(cycle, view) {
    this.cycle = cycle;
    this.view = view;
    this.host.setAttribute('aria-label', summary(cycle));
    this.redraw();
  }

  redraw() {
    const { cycle, view, width } = this;
    if (!cycle) return;
    this.host.style.height = `${view.order.length * view.rowHeight}px`;
    if (!width) return;
    const open = this.cursor ? { row: view.order[this.cursor.y], at: this.cursor.x } : openOf(cycle, view.open);
    const figure = heatmap(cycle, { ...view, open, width }, look());
    draw(this.host, figure, { click: (point) => this.clicked(point) }).catch((fault) => {
      this.host.textContent = `${fault.message}: press T for the table.`;
    });
  }

  clicked(point) {
    const total = this.view.layer === 'total';
    const row = this.view.order[total ? point.y : Math.round(point.y)];
    const at = total
      ? this.cycle.algorithms.findIndex((algorithm) => point.data.hovertemplate.includes(`${algorithm.name} ×`))
      : Math.round(point.x);
    this.explain(row, at);
  }

  key(event) {
    const step = STEPS[event.key];
    if (step) {
      const { y, x } = this.cursor ?? { y: -step[0], x: -step[1] };
      const rows = this.view.order.length;
      const columns = this.cycle.algorithms.length;
      this.cursor = {
        y: Math.min(rows - 1, Math.max(0, y + step[0])),
        x: Math.min(columns - 1, Math.max(0, x + step[1])),
      };
      this.say(spoken(this.cycle, this.view, this.cursor));
      this.redraw();
    } else if (event.key === 'Enter' && this.cursor) this.explain(this.view.order[this.cursor.y], this.cursor.x);
    else return;
    event.preventDefault();
  }
}

// A clean picture of a cycle's layer, with names and heads, to keep.
export function savePng(cycle, view) {
  const width = 1100;
  const { data, layout } = heatmap(cycle, { ...view, open: null, rowHeight: 24, width }, { ...look(), mono: 'monospace' });
  const names = view.order.map((row) => cycle.rows.names[row]);
  const axis = { visible: true, showgrid: false, zeroline: false, ticks: '' };
  layout.margin = { l: 150, r: 24, t: 64, b: 16 };
  layout.yaxis = { ...layout.yaxis, ...axis, tickvals: names.map((_, at) => at), ticktext: names };
  layout.xaxis = { ...layout.xaxis, ...axis, side: 'top' };
  if (view.layer !== 'total')
    Object.assign(layout.xaxis, {
      tickvals: cycle.algorithms.map((_, at) => at),
      ticktext: cycle.algorithms.map((one) => `${one.short}<br>×${one.weight}`),
    });
  return downloadPng({ data, layout }, `cycle-${cycle.number}-${view.layer}.png`, width, view.order.length * 24 + 80);
}

function openOf(cycle, cell) {
  if (!cell) return null;
  const row = cycle.rows.names.indexOf(cell.node);
  const at = cycle.algorithms.findIndex((algorithm) => algorithm.name === cell.algorithm);
  return row < 0 || at < 0 ? null : { row, at };
}

function spoken(cycle, view, { y, x }) {
  const row = view.order[y];
  const { kind, values } = column(cycle, x, view.layer);
  const value =
    kind === 'skip' ? 'skipped' : kind === 'wait' ? 'not back yet' : `${values[row]}${kind === 'raw' ? ' raw' : ''}`;
  return `${cycle.rows.names[row]}, ${cycle.algorithms[x].name}: ${value}`;
}

function summary(cycle) {
  const { totals, final } = totalsOf(cycle);
  const leader = totals ? cycle.rows.names[totals.indexOf(Math.max(...totals))] : '';
  const lead = leader
    ? `; ${cycle.winner || leader} ${final ? 'leads' : 'leads so far'} with ${Math.max(...totals)}`
    : '';
  return `Scores of ${plural(cycle.feasible, 'feasible node')} by ${plural(cycle.algorithms.length, 'algorithm')}${lead}. Arrow keys read cells, T shows the table.`;
}
