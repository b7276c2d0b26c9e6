// The arithmetic of the score matrix, without a screen: columns of a layer, sums so far, orders, weights tried out.
import { failureOf, sound } from './failures.js';

// What a column shows of `layer` (raw, normalized, weighted, total): {kind, values} with kind
// skip (not run for this pod), wait (nothing returned yet), raw (mapped, not reduced yet), fail (its reduce failed) or value.
export function column(cycle, at, layer) {
  const algorithm = cycle.algorithms[at];
  const { raw, normalized, weighted } = cycle.rows;
  if (algorithm.state === 'skip' || algorithm.state === 'not_scored') return { kind: 'skip', values: null };
  if (layer === 'raw')
    return raw[at] ? { kind: 'value', values: sound(cycle, at, raw[at]) } : { kind: 'wait', values: null };
  if (algorithm.error) return { kind: 'fail', values: null };
  const settled = normalizedOf(cycle, at);
  if (!settled) return raw[at] ? { kind: 'raw', values: sound(cycle, at, raw[at]) } : { kind: 'wait', values: null };
  if (layer === 'normalized') return { kind: 'value', values: sound(cycle, at, settled) };
  const weighed = weighted[at] ?? settled.map((value) => value * algorithm.weight);
  return { kind: 'value', values: sound(cycle, at, weighed) };
}

// The row that reduce returned; an algorithm without one is settled as soon as every range is back.
export function normalizedOf(cycle, at) {
  const { raw, normalized } = cycle.rows;
  if (normalized[at]) return normalized[at];
  const asIs = cycle.algorithms[at].state === 'as_is' && raw[at];
  return asIs && !raw[at].includes(null) ? raw[at] : null;
}

// One cell in words.
export function valueOf(cycle, at, layer, row) {
  const { kind, values } = column(cycle, at, layer === 'total' ? 'weighted' : layer);
  if (kind === 'skip') return cycle.algorithms[at].state === 'not_scored' ? 'not scored' : 'skipped';
  const failure = failureOf(cycle, at, layer, row);
  if (failure) return `failed: ${failure}`;
  if (kind === 'wait' || values[row] === null) return 'not back yet';
  return `${values[row]}${kind === 'raw' ? ' raw' : ''}`;
}

// All layers of a cell: [node, algorithm, figures].
export function linesOf(cycle, row, at) {
  const { names, raw, bins } = cycle.rows;
  const algorithm = cycle.algorithms[at];
  const name = bins[row] > 1 ? `ranks ${names[row]} (mean of ${bins[row]})` : names[row];
  if (column(cycle, at, 'raw').kind === 'skip') return [name, algorithm.name, algorithm.state === 'not_scored' ? 'not scored: only one node passed the filters' : 'skipped: not run for this pod'];
  const failure = failureOf(cycle, at, 'raw', row);
  if (failure) return [name, algorithm.name, `failed: ${failure}`];
  const settled = normalizedOf(cycle, at);
  const words = [`raw ${raw[at]?.[row] ?? 'not back yet'}`];
  if (settled) words.push(`normalised ${settled[row]}`, `weighted ${settled[row] * algorithm.weight}`);
  const reduce = algorithm.error ? [`reduce failed: ${algorithm.error}`] : [];
  return [name, `${algorithm.name} ×${algorithm.weight}`, words.join(', '), ...reduce];
}

// Totals, or their sum so far over the settled algorithms: {totals, settled, of}; totals null before the first, and for
// good where something failed.
export function totalsOf(cycle) {
  const live = cycle.algorithms.map((_, at) => at).filter((at) => column(cycle, at, 'raw').kind !== 'skip');
  const settled = live.filter((at) => normalizedOf(cycle, at));
  const of = live.length;
  if (cycle.rows.totals) return { totals: cycle.rows.totals, settled: of, of, final: true };
  if (!settled.length || cycle.score_failures) return { totals: null, settled: 0, of, final: false, failed: cycle.score_failures };
  const totals = cycle.rows.names.map((_, row) => weightedSum(cycle, settled, row));
  return { totals, settled: settled.length, of, final: false };
}

function weightedSum(cycle, settled, row) {
  return settled.reduce((sum, at) => sum + normalizedOf(cycle, at)[row] * cycle.algorithms[at].weight, 0);
}

export const scaleOf = (cycle) =>
  Math.max(
    1,
    cycle.algorithms.reduce(
      (sum, algorithm) =>
        sum + (algorithm.state === 'skip' || algorithm.state === 'not_scored' ? 0 : algorithm.weight * 100),
      0,
    ),
  );

// Row indices in the order to show. `sort`: total, name, zone, or the index of an algorithm. Binned rows stay last.
export function order(cycle, totals, sort, layer) {
  const { names, zones, bins } = cycle.rows;
  const rows = names.map((_, row) => row);
  const by = {
    name: (a, b) => names[a].localeCompare(names[b], 'en', { numeric: true }),
    zone: (a, b) => zones[a].localeCompare(zones[b]) || byTotal(a, b),
  };
  const byTotal = (a, b) => (totals ? totals[b] - totals[a] : 0) || winnerFirst(cycle, a, b) || a - b;
  let compare = by[sort] ?? byTotal;
  if (typeof sort === 'number') {
    const { values } = column(cycle, sort, layer);
    if (values) compare = (a, b) => (values[b] ?? -Infinity) - (values[a] ?? -Infinity) || byTotal(a, b);
  }
  return rows.sort((a, b) => (bins[a] > 1) - (bins[b] > 1) || (bins[a] > 1 ? a - b : compare(a, b)));
}

const winnerFirst = (cycle, a, b) => (cycle.rows.names[b] === cycle.winner) - (cycle.rows.names[a] === cycle.winner);

// 1-based, ties share a rank; follows `totals`, whatever the order on screen.
export function ranks(totals) {
  const sorted = [...totals].sort((a, b) => b - a);
  const first = new Map();
  sorted.forEach((total, at) => {
    if (!first.has(total)) first.set(total, at + 1);
  });
  return totals.map((total) => first.get(total));
}

// Rows that hold the best value of a column, if three or fewer do and the column separates the nodes at all.
export function best(values, lowest = false) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return [];
  const top = lowest ? Math.min(...known) : Math.max(...known);
  const rows = values.flatMap((value, row) => (value === top ? [row] : []));
  return rows.length <= 3 && rows.length < known.length ? rows : [];
}

export const flat = (values) => values.every((value) => value === values[0]);

// Colour positions 0..100 of a column: raw has its own scale a column, the other layers share one.
export function shades(cycle, at, layer, values) {
  if (layer === 'normalized') return values;
  if (layer === 'raw') {
    const known = values.filter((value) => value !== null);
    const low = Math.min(0, ...known);
    const high = Math.max(...known);
    return values.map((value) => (value === null ? null : high > low ? ((value - low) * 100) / (high - low) : 0));
  }
  const most = Math.max(...cycle.algorithms.map((algorithm) => (algorithm.state === 'skip' ? 0 : algorithm.weight)), 1);
  return values.map((value) => (value === null ? null : value / most));
}

// The same scores under other weights: {totals, leaders}: what would be placed where, by the same arithmetic.
export function rescored(cycle, weights) {
  const live = cycle.algorithms.map((_, at) => at).filter((at) => normalizedOf(cycle, at));
  const totals = cycle.rows.names.map((_, row) =>
    live.reduce((sum, at) => sum + normalizedOf(cycle, at)[row] * weights[at], 0),
  );
  const single = totals.filter((_, row) => cycle.rows.bins[row] === 1);
  const top = Math.max(...single);
  const leaders = totals.flatMap((total, row) => (total === top && cycle.rows.bins[row] === 1 ? [row] : []));
  return { totals, leaders, top };
}
