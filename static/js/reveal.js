// Where one steps to Map or Reduce, cells appear as the workers returned them: range by range, column by column. Pure.
const RANGE = /(\d+)(?:–(\d+))?$/; // `nodes 13–24`, `node 7`: counted from one

// What is to appear, in the order of return: [{rows: [first, last]} | {algorithm: name}]; [] where nothing is new.
export function arrivals(before, now) {
  if (!before || before.number !== now.number || now.outcome !== 'open' || now.whole || before.whole) return [];
  if (now.rows.totals || now.rows.bins.some((size) => size > 1)) return [];
  const known = (cycle, layer) => cycle.rows[layer].some((column) => column !== null);
  const fresh = (layer) => known(now, layer) && !known(before, layer);
  if (fresh('normalized')) return returned(now, 'reduce').map((task) => ({ algorithm: task.label }));
  return fresh('raw') ? returned(now, 'map').map((task) => ({ rows: rowsOf(task.label) })) : [];
}

function returned({ tasks }, kind) {
  const mine = tasks.filter((task) => task.kind === kind);
  return mine.length > 1 ? mine.sort((a, b) => a.start_ms + a.ms - b.start_ms - b.ms) : [];
}

function rowsOf(label) {
  const [, first, last] = label.match(RANGE);
  return [Number(first) - 1, Number(last ?? first)];
}

// The cycle without what is still `missing` (a part of its arrivals).
export function without(cycle, missing) {
  if (!missing.length) return cycle;
  const late = new Set(missing.map((one) => one.algorithm));
  const spans = missing.flatMap((one) => (one.rows ? [one.rows] : []));
  const held = (row) => spans.some(([first, last]) => row >= first && row < last);
  const raw = cycle.rows.raw.map((column) => column && column.map((value, row) => (held(row) ? null : value)));
  const layer = (columns) => columns.map((column, at) => (late.has(cycle.algorithms[at].name) ? null : column));
  const algorithms = cycle.algorithms.map((one) => {
    if (late.has(one.name)) return { ...one, state: 'reducing' };
    return spans.length && one.state === 'raw' ? { ...one, state: 'mapping' } : one;
  });
  const { normalized, weighted } = cycle.rows;
  return { ...cycle, algorithms, rows: { ...cycle.rows, raw, normalized: layer(normalized), weighted: layer(weighted) } };
}
