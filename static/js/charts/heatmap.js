// The score matrix as a Plotly figure: cells by layer, hatch for skip, outline for raw, rings, figures in the cells.
import { failureOf } from '../failures.js';
import { column, flat, shades } from '../scores.js';
import { NUMBERS_UP_TO, layout } from './heatmap-layout.js';
import { totalBars } from './total-bars.js';

const FLIP = 42.5; // white text below, black from here: never under 4.5:1
const QUIET = 0.35; // a column that does not separate the nodes

// `view`: {layer, order, rowHeight, width, open: {row, at} | null}; `look`: {token, heat}. Rows are positions in `order`.
export function heatmap(cycle, view, look) {
  const columns = cycle.algorithms.map((_, at) => column(cycle, at, view.layer));
  const data = view.layer === 'total' ? totalBars(cycle, view, look) : cells(cycle, columns, view, look);
  return { data, layout: layout(cycle, columns, view, look) };
}

function cells(cycle, columns, view, look) {
  const quiet = columns.map((one) => one.kind === 'value' && cycle.rows.names.length > 1 && flat(one.values));
  const shade = columns.map((one, at) => (one.kind === 'value' ? shades(cycle, at, view.layer, one.values) : null));
  const grid = (pick) => view.order.map((row) => columns.map((one, at) => pick(one, at, row)));
  const scored = grid((one, at, row) => (one.kind === 'value' && !quiet[at] ? shade[at][row] : null));
  const even = grid((one, at, row) => (quiet[at] ? shade[at][row] : null));
  const raw = grid((one, at, row) => (one.kind === 'raw' && one.values[row] !== null ? 1 : null));
  const fails = (at, row) => columns[at].kind !== 'skip' && Boolean(failureOf(cycle, at, view.layer, row));
  const failed = grid((one, at, row) => (fails(at, row) ? 1 : null));
  const wait = grid((one, at, row) =>
    !fails(at, row) && (one.kind === 'wait' || (one.values && one.values[row] === null)) ? 1 : null,
  );
  // Without gaps Plotly paints one pixel a cell and lets the browser stretch it: 500 rows cost no more than 50.
  const dense = view.order.length > NUMBERS_UP_TO;
  const gap = dense ? 0 : view.rowHeight > 16 ? 2 : 1;
  const traces = [
    heat(scored, look.heat, gap),
    heat(even, look.heat, gap, QUIET),
    dense ? null : heat(raw, plain(look.token('--line-2')), gap),
    heat(raw, plain(look.token('--sunken')), dense ? 0 : gap + 2),
    heat(wait, plain(look.token('--bar-2')), gap, 0.5),
    heat(failed, plain(look.token('--no')), gap),
    hatch(columns, view, look),
  ];
  if (view.order.length <= NUMBERS_UP_TO) traces.push(...figures(columns, shade, quiet, fails, view, look));
  return traces.filter(
    (trace) => trace && (trace.type !== 'heatmap' || trace.z.some((line) => line.some((value) => value !== null))),
  );
}

const plain = (colour) => [
  [0, colour],
  [1, colour],
];

const heat = (z, colorscale, gap, opacity = 1) => ({
  type: 'heatmap',
  z,
  colorscale,
  zmin: 0,
  zmax: 100,
  xgap: gap,
  ygap: gap,
  showscale: false,
  hoverongaps: false,
  hoverinfo: 'none', // it is told beside the cell: see elements/matrix-tip.js
  opacity,
});

function hatch(columns, view, look) {
  const x = columns.flatMap((one, at) => (one.kind === 'skip' ? [at] : []));
  if (!x.length || !view.order.length) return null;
  return {
    type: 'bar',
    x,
    y: x.map(() => view.order.length),
    base: -0.5,
    width: 0.94,
    hoverinfo: 'skip',
    marker: {
      color: 'rgba(0,0,0,0)',
      line: { width: 0 },
      pattern: { shape: '/', size: 6, solidity: 0.16, fgcolor: look.token('--hatch') },
    },
  };
}

function figures(columns, shade, quiet, fails, view, look) {
  const low = text(look.token('--heat-text-low'));
  const high = text(look.token('--heat-text-high'));
  const ink = text(look.token('--ink'));
  const cross = text(look.token('--surface'));
  view.order.forEach((row, y) =>
    columns.forEach((one, x) => {
      const fail = fails(x, row);
      if (!fail && (!one.values || one.values[row] === null)) return;
      const place = fail ? cross : one.kind === 'raw' || quiet[x] ? ink : shade[x][row] < FLIP ? low : high;
      place.x.push(x);
      place.y.push(y);
      place.text.push(fail ? '✕' : String(one.values[row]));
    }),
  );
  return [low, high, ink, cross].filter((trace) => trace.x.length);
}

const text = (color) => ({
  type: 'scatter',
  mode: 'text',
  x: [],
  y: [],
  text: [],
  textfont: { color },
  hoverinfo: 'skip',
  cliponaxis: false,
});
