// A cycle as it stood after one of its phases: what later phases found out is not shown. Pure.
import { plural } from './format.js';

const FIRST = 'Pop';
const NOT_BEFORE = { map: 'Map', reduce: 'Reduce' }; // tasks by the phase that they are of

// The last phase that a cycle has reached, as an index into its phases.
export const reached = (cycle) => cycle.phases.findLastIndex((phase) => phase.state !== 'idle');

// One phase back (-1) or forth (1) from a view of a cycle: the view to show then, `whole` itself at its end.
export function turned(view, by) {
  const whole = view.whole ?? view;
  const at = (view.at ?? reached(whole)) + by;
  if (at >= reached(whole)) return whole;
  const first = whole.phases.findIndex((phase) => phase.name === FIRST);
  return asOf(whole, Math.max(first, at));
}

// `at`: index of a phase. The view knows its `whole` cycle and `at`.
export function asOf(whole, at) {
  const place = new Map(whole.phases.map((phase, index) => [phase.name, index]));
  const shows = (name) => place.has(name) && place.get(name) <= at;
  const filtered = shows('Filter');
  return {
    ...whole,
    whole,
    at,
    outcome: 'open',
    finished_seq: null,
    phase: whole.phases[at].name,
    phases: whole.phases.map((phase, index) => (index <= at ? phase : { ...phase, state: 'idle', ms: null, note: '' })),
    algorithms: whole.algorithms.map((one) => ({
      ...one,
      state: stateOf(one, shows),
      worker: shows('Reduce') ? one.worker : '',
      error: shows('Reduce') ? one.error : '',
    })),
    rows: rowsOf(whole.rows, whole.algorithms, shows),
    evaluated: filtered ? whole.evaluated : 0,
    feasible: filtered ? whole.feasible : 0,
    scoring_skipped: filtered ? whole.scoring_skipped : '',
    refusals: filtered ? whole.refusals : [],
    funnel: filtered ? whole.funnel : [],
    score_failures: shows('Reduce') ? whole.score_failures : '',
    winner: shows('Select') ? whole.winner : '',
    tie: shows('Select') ? whole.tie : null,
    podium: [],
    tasks: whole.tasks.filter((task) => shows(NOT_BEFORE[task.kind] ?? task.label)),
    message: '',
    unschedulable_plugins: [],
    preemption: undefined,
    sentence: sentenceOf(whole, shows),
  };
}

function stateOf({ state }, shows) {
  if (!shows('PreScore')) return 'waiting';
  if (state === 'skip' || state === 'not_scored') return state;
  if (!shows('Map')) return 'waiting';
  return shows('Reduce') ? state : 'raw';
}

// Before there are totals rows stand by name: their order would tell who wins.
function rowsOf(rows, algorithms, shows) {
  const order = rows.names.map((_, row) => row);
  const byName = (a, b) => rows.names[a].localeCompare(rows.names[b], 'en', { numeric: true });
  if (!shows('Sum')) order.sort((a, b) => rows.bins[a] - rows.bins[b] || byName(a, b));
  const kept = shows('Filter') ? order : [];
  const pick = (list) => list && kept.map((row) => list[row]);
  const layer = (columns, name) => columns.map((column) => (shows(name) ? pick(column) : null));
  return {
    names: pick(rows.names),
    zones: pick(rows.zones),
    bins: pick(rows.bins),
    raw: layer(rows.raw, 'Map'),
    normalized: layer(rows.normalized, 'Reduce'),
    weighted: layer(rows.weighted, 'Reduce'),
    failed: layer(rows.failed ?? [], 'Map'),
    totals: shows('Sum') ? pick(rows.totals) : null,
    rank: shows('Sum') ? pick(rows.rank) : null,
  };
}

function sentenceOf({ pod, feasible, node_count: nodes, rows, winner, tie }, shows) {
  if (!shows('Filter')) return `\`${pod}\` is being placed.`;
  if (!shows('Sum') || !rows.totals) return `\`${pod}\` is being placed: ${feasible} of ${plural(nodes, 'node')} passed the filters.`;
  const best = Math.max(...rows.totals);
  if (shows('Select') && winner)
    return tie
      ? `\`${pod}\` goes to \`${winner}\`: the draw took it among ${plural(tie.count, 'node')} that share ${best}.`
      : `\`${pod}\` goes to \`${winner}\` with ${best}.`;
  return `\`${pod}\` is being placed: the best total is ${best}.`;
}
