// A board and a cycle as the server sent them once, and small makers of messages.
import { readFileSync } from 'node:fs';

const read = (name) => JSON.parse(readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8'));

export const board = () => read('board.json');
export const cycle = () => read('cycle.json');

// A cycle of three nodes and three algorithms, as it stands after the filters.
export function openCycle() {
  const algorithm = (name, weight, state) => ({
    name,
    short: name,
    weight,
    lower_is_better: false,
    state,
    worker: '',
  });
  return {
    number: 9,
    pod: 'shop/web-1',
    attempt: 1,
    popped_seq: 90,
    popped_us: 0,
    finished_seq: null,
    outcome: 'open',
    sentence: '`shop/web-1` is being placed.',
    phase: 'Filter',
    phases: ['Filter', 'Map', 'Reduce'].map((name) => ({
      name,
      state: name === 'Filter' ? 'done' : 'idle',
      ms: null,
      note: '',
    })),
    algorithms: [algorithm('Fit', 1, 'waiting'), algorithm('Image', 1, 'skip'), algorithm('Taint', 3, 'waiting')],
    rows: {
      names: ['a', 'b', 'c'],
      zones: ['x', 'x', 'y'],
      raw: [null, null, null],
      normalized: [null, null, null],
      weighted: [null, null, null],
      totals: null,
      rank: null,
      bins: [1, 1, 1],
    },
    node_count: 4,
    evaluated: 4,
    feasible: 3,
    scoring_skipped: '',
    winner: '',
    tie: null,
    podium: [],
    refusals: [],
    funnel: [],
    tasks: [],
    message: '',
    unschedulable_plugins: [],
  };
}

export const news = (state, part, by = 1) => ({
  type: 'news',
  from_seq: state.cluster.seq,
  seq: state.cluster.seq + by,
  state: { cluster: { ...state.cluster, seq: state.cluster.seq + by, can_write: false }, ...part },
});
