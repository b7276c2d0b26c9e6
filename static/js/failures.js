// Where scoring went on after an error of an algorithm: which cells failed, and what was said there. Pure.

// What map said where it failed in a cell, or in a layer after it reduce, which fails for a whole column; '' if neither did.
export function failureOf(cycle, at, layer, row) {
  const reduce = layer === 'raw' ? '' : cycle.algorithms[at].error;
  return cycle.rows.failed?.[at]?.[row] || reduce || '';
}

// A column with null where map failed.
export function sound(cycle, at, values) {
  const failed = cycle.rows.failed?.[at];
  return failed ? values.map((value, row) => (failed[row] ? null : value)) : values;
}
