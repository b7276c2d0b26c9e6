// Cycles in every state that a screen may meet them in, made of the four that were recorded. Pure.
import { asOf } from '../phase-view.js';
import { without } from '../reveal.js';

export function cyclesOf({ placed, tied, refused, preempting }) {
  const at = (name) => placed.phases.findIndex((phase) => phase.name === name);
  const mapped = asOf(placed, at('Map'));
  const reduced = asOf(placed, at('Reduce'));
  return {
    placed,
    tied,
    refused,
    preempting,
    popped: asOf(placed, at('Pop')),
    mapping: without(mapped, [{ rows: [2, 3] }]),
    reducing: running(without(reduced, [{ algorithm: 'PodTopologySpread' }, { algorithm: 'InterPodAffinity' }])),
    single: single(placed),
    failed: failed(placed),
    lost: { ...refused, lost: 'The algorithm QuietNodes is not installed any more.' },
    ineligible: { ...preempting, preemption: { ...refused.preemption, ineligible: 'its preemptionPolicy is Never' } },
    welcome: { ...placed, refusals: [] },
    untimed: { ...placed, tasks: [] },
  };
}

const running = (cycle) => ({
  ...cycle,
  phases: cycle.phases.map((phase) => (phase.name === 'Reduce' ? { ...phase, state: 'run', note: '2 of 4' } : phase)),
});

// One node passed: nothing was scored.
function single(cycle) {
  const none = cycle.algorithms.map(() => null);
  return {
    ...cycle,
    feasible: 1,
    scoring_skipped: 'only one node passed the filters, so nothing was scored',
    algorithms: cycle.algorithms.map((one) => ({ ...one, state: 'not_scored' })),
    rows: {
      names: cycle.rows.names.slice(0, 1),
      zones: cycle.rows.zones.slice(0, 1),
      bins: [1],
      raw: none,
      normalized: none,
      weighted: none,
      failed: none,
      totals: null,
      rank: null,
    },
    podium: [],
    tie: null,
  };
}

// The second score of Fit failed while the others went on.
function failed(cycle) {
  const at = cycle.algorithms.findIndex((one) => one.name === 'NodeResourcesFit');
  const cells = cycle.rows.names.map((_, row) => (row === 1 ? 'Fit: division by zero' : null));
  return {
    ...cycle,
    outcome: 'error',
    winner: '',
    score_failures: '1 score failed (NodeResourcesFit)',
    rows: { ...cycle.rows, totals: null, rank: null, failed: cycle.algorithms.map((_, place) => (place === at ? cells : null)) },
    podium: [],
  };
}
