// The layer of totals: each row a bar made of its weighted parts.
import { column } from '../scores.js';
import { NUMBERS_UP_TO } from './heatmap-layout.js';

export function totalBars(cycle, view, look) {
  let part = 0;
  return cycle.algorithms.flatMap((algorithm, at) => {
    const { kind, values } = column(cycle, at, 'weighted');
    if (kind === 'skip') return [];
    part += 1;
    if (kind !== 'value') return [];
    const x = view.order.map((row) => values[row]);
    return [
      {
        type: 'bar',
        orientation: 'h',
        name: `${algorithm.short} ×${algorithm.weight}`,
        x,
        y: view.order.map((_, y) => y),
        width: 0.86,
        marker: {
          color: look.token(`--part-${((part - 1) % 7) + 1}`),
          line: { width: 1, color: look.token('--surface') },
        },
        text: view.order.length <= NUMBERS_UP_TO ? x.map((value) => (value === null ? '' : String(value))) : undefined,
        textposition: 'inside',
        insidetextanchor: 'middle',
        textangle: 0,
        textfont: { color: look.token('--ink') },
        meta: at, // which algorithm, for whoever points at it
        hoverinfo: 'none',
      },
    ];
  });
}
