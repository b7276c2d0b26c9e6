// A cycle's scores as a picture to keep: whose and of which layer, ranks, nodes and zones, totals, what the cells mean.
import { ranks, totalsOf } from '../scores.js';
import { count, plural } from '../format.js';
import { downloadImage, lookOfFile } from './plot.js';
import { heatmap } from './heatmap.js';

const [WIDTH, ROW, HEAD, FOOT, NAMES, TOTALS] = [1100, 24, 132, 48, 250, 64]; // px
const SAYS = {
  raw: 'raw scores (map): each column on a scale of its own, paler where that scale says nothing',
  normalized: 'normalised scores (reduce), 0 to 100',
  weighted: 'normalised scores times weights',
  total: 'totals and their weighted parts',
};
const MEANS = 'Dark is low, yellow is high; pale: equal on all nodes; hatched: skipped, not run for this pod.';

export function savePicture(cluster, cycle, { layer, order }, form) {
  const colours = lookOfFile();
  const { data, layout } = heatmap(cycle, { layer, order, open: null, rowHeight: ROW, width: WIDTH - NAMES - TOTALS }, colours);
  const [ink, dim] = [colours.token('--ink'), colours.token('--ink-2')];
  const { totals } = totalsOf(cycle);
  const axis = { visible: true, showgrid: false, zeroline: false, ticks: '', tickfont: { color: ink } };
  // No <b> or <span>: what Plotly makes of them the content security policy refuses.
  const at = { x: 0, xref: 'container', xanchor: 'left', y: 1, yref: 'container', yanchor: 'top', pad: { l: 16, t: 16 } };
  const subtitle = { text: `${cluster}, ${seen(cycle)}; ${SAYS[layer]}`, font: { size: 12, color: dim } };
  layout.title = { text: cycle.winner ? `${cycle.pod} → ${cycle.winner}` : cycle.pod, font: { size: 16, color: ink, weight: 'bold' }, subtitle, ...at };
  layout.margin = { l: NAMES, r: TOTALS, t: HEAD, b: FOOT };
  layout.yaxis = { ...layout.yaxis, ...axis, tickvals: order.map((_, at) => at), ticktext: names(cycle, order, totals) };
  layout.xaxis = { ...layout.xaxis, ...axis, side: 'top' };
  if (layer === 'total') Object.assign(layout, { showlegend: true, legend: { orientation: 'h', x: 0, y: 0, yanchor: 'top', traceorder: 'normal', font: { color: dim } } });
  else Object.assign(layout.xaxis, heads(cycle));
  layout.annotations = [
    ...(layer !== 'total' && totals ? sums(cycle, order, totals, ink) : []),
    { ...PAPER, x: 0, xshift: 16 - NAMES, y: 0, yshift: -FOOT / 2, text: layer === 'total' ? '' : MEANS, font: { color: dim, size: 12 } },
  ];
  const size = { width: WIDTH, height: order.length * ROW + HEAD + FOOT, colours };
  return downloadImage({ data, layout }, `${cluster}-cycle-${cycle.number}-${layer}.${form}`, size);
}

const PAPER = { xref: 'paper', yref: 'paper', xanchor: 'left', yanchor: 'middle', showarrow: false };

const seen = ({ number, feasible, node_count: all }) => `cycle ${number}: ${plural(feasible, 'feasible node')} of ${count(all)}`;

const heads = (cycle) => ({
  tickvals: cycle.algorithms.map((_, at) => at),
  ticktext: cycle.algorithms.map((one) => `${one.short}<br>×${one.weight}`),
});

function names({ rows, winner }, order, totals) {
  const place = rows.rank ?? (totals ? ranks(totals) : []);
  return order.map((row) => {
    if (rows.bins[row] > 1) return `ranks ${rows.names[row]} `;
    const text = [place[row], rows.names[row], rows.zones[row]].filter((one) => one !== undefined && one !== '').join('  ');
    return rows.names[row] === winner ? `★ ${text} ` : `${text} `;
  });
}

const sums = ({ rows, winner }, order, totals, ink) => [
  { ...PAPER, x: 1, xshift: 12, y: 1, yshift: 14, text: 'total', font: { color: ink } },
  ...order.map((row, y) => ({
    ...PAPER,
    yref: 'y',
    x: 1,
    xshift: 12,
    y,
    text: String(totals[row]),
    font: { color: ink, weight: rows.names[row] === winner ? 'bold' : 'normal' },
  })),
];
