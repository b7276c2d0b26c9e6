// A total of the score matrix, opened: what each algorithm adds, and how far it is from the best. Pure.
import { failureOf } from './failures.js';
import { column, normalizedOf, totalsOf } from './scores.js';

const NOT_SCORED = 'not scored: only one node passed the filters';
const SKIPPED = 'skipped: not run for this pod';

// Why a column has no number: of an algorithm in state `skip` or `not_scored`.
export const absence = ({ state }) => (state === 'not_scored' ? NOT_SCORED : SKIPPED);

// {node, total (null while not known), rank, parts: [{at, name, weight, normalized, weighted, why}], behind}.
// `why`: what stands in place of figures; `behind`: points to the best total.
export function totalOf(cycle, node) {
  const row = cycle.rows.names.indexOf(node);
  const { totals, final } = totalsOf(cycle);
  const total = totals && row >= 0 ? totals[row] : null;
  const best = totals ? totals.reduce((most, one) => Math.max(most, one), 0) : null;
  return {
    node,
    total,
    final,
    rank: final ? (cycle.rows.rank?.[row] ?? null) : null,
    behind: total === null ? null : Math.max(0, best - total),
    tied: Boolean(cycle.tie?.nodes.includes(node)),
    parts: cycle.algorithms.map((algorithm, at) => part(cycle, algorithm, at, row)),
  };
}

function part(cycle, algorithm, at, row) {
  const { name, weight } = algorithm;
  const none = { at, name, weight, normalized: null, weighted: null };
  if (column(cycle, at, 'raw').kind === 'skip') return { ...none, why: absence(algorithm) };
  const failure = failureOf(cycle, at, 'weighted', row);
  if (failure) return { ...none, why: `failed: ${failure}` };
  const settled = normalizedOf(cycle, at)?.[row];
  if (settled === undefined || settled === null) return { ...none, why: 'not reduced yet' };
  return { ...none, normalized: settled, weighted: settled * weight, why: settled === 0 ? 'scored 0' : '' };
}
