// Where one steps to Map or Reduce, cells appear as the workers returned them: range by range, column by column. Pure.
const RANGE = /^nodes? (\d+)(?:–(\d+))?$/; // `nodes 13–24`, `node 7`: counted from one
const WHOLE = /^(.+): whole list$/; // the map of an algorithm that scores all nodes at once

// What is to appear, in the order of return: [{rows: [first, last]} | {list: name} | {algorithm: name}], the last of them
// by reduce; [] where nothing is new.
export function arrivals(before, now) {
  if (!before || before.number !== now.number || now.outcome !== 'open' || now.whole || before.whole) return [];
  if (now.rows.totals || now.rows.bins.some((size) => size > 1)) return [];
  const known = (cycle, layer) => cycle.rows[layer].some((column) => column !== null);
  const fresh = (layer) => known(now, layer) && !known(before, layer);
  if (fresh('normalized')) return returned(now, 'reduce').map((task) => ({ algorithm: task.label }));
  return fresh('raw') ? returned(now, 'map').map((task) => mapped(task.label)) : [];
}

function returned({ tasks }, kind) {
  const mine = tasks.filter((task) => task.kind === kind);
  return mine.length > 1 ? mine.sort((a, b) => a.start_ms + a.ms - b.start_ms - b.ms) : [];
}

function mapped(label) {
  const list = label.match(WHOLE);
  if (list) return { list: list[1] };
  const [, first, last] = label.match(RANGE);
  return { rows: [Number(first) - 1, Number(last ?? first)] };
}

// The cycle without what is still `missing` (a part of its arrivals).
export function without(cycle, missing) {
  if (!missing.length) return cycle;
  const late = new Set(missing.map((one) => one.algorithm));
  const spans = missing.flatMap((one) => (one.rows ? [one.rows] : []));
  const held = (row) => spans.some(([first, last]) => row >= first && row < last);
  const lists = new Set(missing.map((one) => one.list));
  // Whole lists come by themselves, all others range by range.
  const cells = (columns) =>
    columns.map((column, at) => {
      const { name, whole_list: whole } = cycle.algorithms[at];
      return column && column.map((value, row) => ((whole ? lists.has(name) : held(row)) ? null : value));
    });
  const layer = (columns) => columns.map((column, at) => (late.has(cycle.algorithms[at].name) ? null : column));
  const algorithms = cycle.algorithms.map((one) => {
    if (late.has(one.name)) return { ...one, state: 'reducing' };
    const awaited = one.whole_list ? lists.has(one.name) : spans.length;
    return awaited && one.state === 'raw' ? { ...one, state: 'mapping' } : one;
  });
  const { raw, failed = [], normalized, weighted } = cycle.rows;
  const layers = { raw: cells(raw), failed: cells(failed), normalized: layer(normalized), weighted: layer(weighted) };
  return { ...cycle, algorithms, rows: { ...cycle.rows, ...layers } };
}
