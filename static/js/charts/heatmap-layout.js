// Size, axes, fonts, rings and the open cell of the score matrix.
import { best, scaleOf } from '../scores.js';

export const NUMBERS_UP_TO = 160; // rows; beyond, rows are too low for figures
const ROOMY_UP_TO = 64;

// Of a row, in px: from 16 on its cells show their figures.
export function rowHeight(rows) {
  if (rows > NUMBERS_UP_TO) return 14;
  return rows > ROOMY_UP_TO ? 16 : 24; // a name is something to click: 24 px is the least
}

export function layout(cycle, columns, view, look) {
  const rows = Math.max(1, view.order.length);
  const total = view.layer === 'total';
  return {
    width: view.width,
    height: rows * view.rowHeight,
    margin: { l: 0, r: 0, t: 0, b: 0 },
    showlegend: false,
    barmode: total ? 'stack' : 'overlay',
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    dragmode: false,
    uirevision: 'scores',
    hovermode: 'closest',
    font: { family: look.mono, size: 11, color: look.token('--ink-2') },
    uniformtext: { mode: 'hide', minsize: 10 },
    xaxis: axis(total ? [0, scaleOf(cycle)] : [-0.5, columns.length - 0.5]),
    yaxis: axis([rows - 0.5, -0.5]),
    shapes: total ? [] : rings(cycle, columns, view, look),
  };
}

const axis = (range) => ({ range, visible: false, fixedrange: true, showgrid: false, zeroline: false, type: 'linear' });

function rings(cycle, columns, view, look) {
  const place = new Map(view.order.map((row, y) => [row, y]));
  const fewer = (x) => view.layer === 'raw' && cycle.algorithms[x].lower_is_better;
  const shapes = columns.flatMap((one, x) =>
    one.kind !== 'value'
      ? []
      : best(one.values, fewer(x))
          .filter((row) => place.has(row))
          .map((row) => box(x, place.get(row), look.token('--ink'), 2)),
  );
  if (view.open && place.has(view.open.row))
    shapes.push(box(view.open.at, place.get(view.open.row), look.token('--accent'), 2.5));
  return shapes;
}

const box = (x, y, color, width) => ({
  type: 'rect',
  layer: 'above',
  x0: x - 0.48,
  x1: x + 0.48,
  y0: y - 0.44,
  y1: y + 0.44,
  line: { color, width },
  fillcolor: 'rgba(0,0,0,0)',
});
