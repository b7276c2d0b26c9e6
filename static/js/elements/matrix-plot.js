// The cells of the score matrix: the Plotly heatmap, a cell to open by mouse or by keys, a sentence for readers.
import { draw, loadPlotly, look } from '../charts/plot.js';
import { heatmap } from '../charts/heatmap.js';
import { totalsOf } from '../scores.js';
import { plural } from '../format.js';
import { MatrixCursor } from './matrix-cursor.js';
import { MatrixTip } from './matrix-tip.js';

export class MatrixPlot {
  // `middle` holds the plot and, above it, the cursor.
  constructor(middle, host, { explain, say }) {
    this.host = host;
    this.explain = explain;
    this.width = 0; // px; as the element around it was last seen
    this.timer = null;
    this.tip = new MatrixTip();
    this.cursor = new MatrixCursor({ explain, say, at: (cell, place) => this.point(cell, place) });
    middle.append(this.cursor.node);
    document.body.append(this.tip.node);
    host.addEventListener('pointerleave', () => this.tip.hide());
  }

  draw(cycle, view) {
    this.cycle = cycle;
    this.view = view;
    this.host.setAttribute('aria-label', summary(cycle));
    this.cursor.draw(cycle, view);
    if (this.cursor.held()) this.point(this.cursor.node, this.cursor.place);
    else this.tip.hide();
    if (view.soon) this.redrawSoon();
    else this.redraw();
  }

  // In a task of its own: a frame that also changes lanes and tiles would take too long.
  redrawSoon() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.redraw();
    });
  }

  redraw() {
    const { cycle, view, width } = this;
    if (!cycle) return;
    this.host.style.height = `${view.order.length * view.rowHeight}px`;
    if (!width) return;
    const figure = heatmap(cycle, { ...view, open: openOf(cycle, view.open), width }, look());
    const on = {
      click: (point) => this.explain(...this.cell(point)),
      hover: (point) => this.hover(point),
      leave: () => this.tip.hide(),
    };
    draw(this.host, figure, on).catch((fault) => {
      this.host.textContent = `${fault.message}: press T for the table.`;
    });
  }

  // [row, algorithm] of a point of the figure.
  cell(point) {
    const total = this.view.layer === 'total';
    return [this.view.order[Math.round(point.y)], total ? point.data.meta : Math.round(point.x)];
  }

  hover(point) {
    const { top, left } = this.host.getBoundingClientRect();
    const high = this.view.rowHeight;
    const y = top + Math.round(point.y) * high;
    const total = this.view.layer === 'total';
    const wide = this.width / (total ? 1 : this.cycle.algorithms.length);
    const x = total ? left : left + Math.round(point.x) * wide;
    this.tip.show(this.cycle, ...this.cell(point), new DOMRect(x, y, wide, high));
  }

  point(cell, place) {
    if (cell) this.tip.show(this.cycle, this.view.order[place.y], place.x, cell);
    else this.tip.hide();
  }
}

// Reading the charts' code takes the browser a moment: it is done while the page has nothing else to do, not when the
// first scores come. Where it fails, the first picture tries again and says so.
export function ready() {
  const load = () => loadPlotly().catch(() => {});
  if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 3000 });
  else setTimeout(load, 500);
}

function openOf(cycle, cell) {
  if (!cell) return null;
  const row = cycle.rows.names.indexOf(cell.node);
  const at = cycle.algorithms.findIndex((algorithm) => algorithm.name === cell.algorithm);
  return row < 0 || at < 0 ? null : { row, at };
}

function summary(cycle) {
  const { totals, final } = totalsOf(cycle);
  const leader = totals ? cycle.rows.names[totals.indexOf(Math.max(...totals))] : '';
  const lead = leader
    ? `; ${cycle.winner || leader} ${final ? 'leads' : 'leads so far'} with ${Math.max(...totals)}`
    : '';
  return `Scores of ${plural(cycle.feasible, 'feasible node')} by ${plural(cycle.algorithms.length, 'algorithm')}${lead}. M walks over the cells, T shows the table.`;
}
