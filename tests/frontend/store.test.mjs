import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Store, initial, reduce } from '../../static/js/store.js';
import { board, news, openCycle } from './fixture.mjs';

const start = (change = {}) => ({ ...initial(board()), ...change });
const tell = (state, part, by) => reduce(state, { type: 'news', news: news(state, part, by) });

test('news that follow what the page holds are applied', () => {
  const state = start();
  const lane = {
    name: 'backoff',
    count: 1,
    cards: [{ key: 'shop/web-1', priority: 0, attempts: 1, since_us: 0 }],
  };
  const next = tell(state, { lanes: [lane] });
  assert.equal(next.cluster.seq, state.cluster.seq + 1);
  assert.equal(
    next.lanes.find((one) => one.name === 'backoff'),
    lane,
  );
  assert.equal(
    next.lanes.find((one) => one.name === 'active'),
    state.lanes.find((one) => one.name === 'active'),
  );
});

test('a gap changes nothing but asks for the whole state', () => {
  const state = start();
  const message = news(state, { lanes: [] });
  message.from_seq += 1;
  message.seq += 1;
  const next = reduce(state, { type: 'news', news: message });
  assert.equal(next.stale, true);
  assert.equal(next.cluster, state.cluster);
});

test('news that the page has already fetched are ignored', () => {
  const state = start();
  const old = news(state, { lanes: [] });
  const ahead = { ...state, cluster: { ...state.cluster, seq: state.cluster.seq + 5 } };
  assert.equal(reduce(ahead, { type: 'news', news: old }), ahead);
});

test('news of the run alone keep the seq and are applied', () => {
  const state = start();
  const message = news(state, {}, 0);
  message.state.cluster.wanted = 'running';
  assert.equal(reduce(state, { type: 'news', news: message }).cluster.wanted, 'running');
});

test('what this page may do is not taken from the news', () => {
  const state = start({ cluster: { ...board().cluster, can_write: true } });
  assert.equal(tell(state, {}).cluster.can_write, true);
});

test('a fetched state ends staleness and drops further cards', () => {
  const state = start({ stale: true, extra: { active: [{ key: 'a/b' }] } });
  const next = reduce(state, { type: 'loaded', server: board() });
  assert.equal(next.stale, false);
  assert.deepEqual(next.extra, {});
});

test('further cards of a lane are dropped when the lane changes, others stay', () => {
  const state = start({ extra: { active: [{ key: 'a/b' }], gated: [{ key: 'c/d' }] } });
  const next = tell(state, { lanes: [{ name: 'active', count: 0, cards: [] }] });
  assert.deepEqual(Object.keys(next.extra), ['gated']);
});

test('a verdict touches only its own tile and group', () => {
  const state = start();
  const { map } = state;
  const name = map.groups[0].tiles[1].name;
  const groups = map.groups.map(({ name: zone, count, cpu, memory }) => ({ name: zone, count, cpu, memory }));
  const next = tell(state, { map: { pods_bound: 7, groups, tiles: [], verdicts: [[name, 'cpu', '']] } });
  assert.equal(next.map.pods_bound, 7);
  assert.equal(next.map.groups[0].tiles[1].verdict, 'cpu');
  assert.equal(next.map.groups[0].tiles[0], map.groups[0].tiles[0]);
  assert.equal(next.map.groups[1], map.groups[1]);
});

test('a verdict of null takes the word away, a mark is set', () => {
  const state = start();
  state.map.groups[0].tiles[0].verdict = 'cpu';
  const { name } = state.map.groups[0].tiles[0];
  const next = tell(state, { map: { tiles: [], verdicts: [[name, null, 'lead']] } });
  assert.equal('verdict' in next.map.groups[0].tiles[0], false);
  assert.equal(next.map.groups[0].tiles[0].lead, true);
});

test('groups that bring tiles replace the nodes', () => {
  const state = start();
  const [group] = state.map.groups;
  const next = tell(state, {
    map: { node_count: 1, groups: [{ ...group, count: 1, tiles: group.tiles.slice(0, 1) }], tiles: [], verdicts: [] },
  });
  assert.equal(next.map.groups.length, 1);
  assert.equal(next.map.groups[0].tiles.length, 1);
});

test('marks are joined once and the oldest go', () => {
  const state = start();
  const last = state.marks.at(-1);
  const fresh = Array.from({ length: 500 }, (_, at) => ({ ...last, seq: last.seq + at }));
  const next = tell(state, { marks: fresh });
  assert.equal(next.marks.length, 400);
  assert.equal(new Set(next.marks.map((mark) => mark.seq)).size, 400);
});

const progress = (more) => ({
  type: 'progress',
  cycle: 9,
  phase: 'Map',
  phases: [{ name: 'Map', state: 'run', ms: null, note: '1 of 2' }],
  algorithms: [
    { name: 'Taint', state: 'mapping', worker: '' },
    { name: 'Fit', state: 'mapping', worker: '' },
  ],
  cells: [],
  tasks: [],
  ...more,
});

test('a map range fills its rows, matched by the name of the algorithm', () => {
  const state = start({ cycle: openCycle() });
  const next = reduce(state, {
    type: 'progress',
    progress: progress({
      cells: [
        {
          rows: [1, 3],
          raw: [
            [5, 6],
            [70, 80],
          ],
        },
      ],
    }),
  });
  assert.deepEqual(next.cycle.rows.raw, [[null, 70, 80], null, [null, 5, 6]]);
  assert.equal(next.cycle.algorithms[2].state, 'mapping');
  assert.equal(next.cycle.algorithms[1].state, 'skip');
  assert.deepEqual(
    next.cycle.phases.map((phase) => phase.state),
    ['done', 'run', 'idle'],
  );
});

test('a reduce fills its column', () => {
  const state = start({ cycle: openCycle() });
  const next = reduce(state, {
    type: 'progress',
    progress: progress({ cells: [{ algorithm: 0, normalized: [100, 50, 0] }] }),
  });
  assert.deepEqual(next.cycle.rows.normalized, [null, null, [100, 50, 0]]);
});

test('progress of a cycle that is past is ignored, of one to come it is kept aside', () => {
  const state = start({ cycle: { ...openCycle(), number: 10 } });
  assert.equal(reduce(state, { type: 'progress', progress: progress({}) }), state);
  const ahead = reduce(state, { type: 'progress', progress: progress({ cycle: 11 }) });
  assert.equal(ahead.cycle, state.cycle);
  assert.equal(ahead.progress.cycle, 11);
});

test('the store tells of changes, and only of changes', () => {
  const store = new Store(start());
  let told = 0;
  store.addEventListener('change', () => {
    told += 1;
  });
  store.dispatch({ type: 'ui', ui: { layer: 'raw' } });
  store.dispatch({ type: 'news', news: { ...news(store.state, {}), seq: 1 } });
  assert.equal(told, 1);
  assert.equal(store.state.ui.layer, 'raw');
});

test('the page of an open cycle follows its own cycle and no other', () => {
  const { cluster } = board();
  const state = initial({ cluster, cycle: openCycle() });
  const finished = { ...openCycle(), outcome: 'bound' };
  assert.equal(tell(state, { cycle: finished }).cycle, finished);
  assert.equal(tell(state, { cycle: { ...finished, number: 10 } }).cycle, state.cycle);
  const filled = reduce(state, {
    type: 'progress',
    progress: progress({ cells: [{ rows: [0, 1], raw: [[5], [6]] }] }),
  });
  assert.deepEqual(filled.cycle.rows.raw[2], [5, null, null]);
  assert.equal(reduce(state, { type: 'progress', progress: progress({ cycle: 10 }) }), state);
});
