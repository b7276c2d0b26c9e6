// The clock between news: by speed while a run at a speed goes on, never otherwise, never back.
import test from 'node:test';
import assert from 'node:assert/strict';
import { Store, initial, reduce } from '../../static/js/store.js';
import { backoffOf } from '../../static/js/waiting.js';
import { presentUs, startTicking } from '../../static/js/ticking.js';

test('time passes by speed while running', () => {
  assert.equal(presentUs({ wanted: 'running', speed: 10, now_us: 5 }, 250), 2_500_005);
  assert.equal(presentUs({ wanted: 'running', speed: 0.01, now_us: 0 }, 1000), 10_000);
});

test('a slow run that waits goes at its rate, and stops at what it waits for', () => {
  const waits = { wanted: 'running', speed: 0.01, rate: 100, now_us: 0, next_timer_us: 300_000_000 };
  assert.deepEqual([1000, 3000, 9000].map((ms) => presentUs(waits, ms)), [100_000_000, 300_000_000, 300_000_000]);
  assert.equal(presentUs({ ...waits, rate: 1, next_timer_us: null }, 1000), 1_000_000);
});

test('time stands still while paused and has no measure flat out', () => {
  assert.equal(presentUs({ wanted: 'paused', speed: 10, now_us: 5 }, 250), null);
  assert.equal(presentUs({ wanted: 'running', speed: 0, now_us: 5 }, 250), null);
});

test('a tick moves the clock alone, and never back', () => {
  const state = initial({ cluster: { seq: 7, now_us: 100 } });
  const later = reduce(state, { type: 'tick', now_us: 900 });
  assert.deepEqual(later.cluster, { seq: 7, now_us: 900 });
  assert.equal(reduce(later, { type: 'tick', now_us: 500 }).cluster.now_us, 900);
});

test('a new wish keeps the time that has passed, an event brings the true one', () => {
  const state = initial({ cluster: { seq: 7, now_us: 900 } });
  const told = (seq) => ({ type: 'news', news: { from_seq: 7, seq, state: { cluster: { now_us: 100 } } } });
  assert.equal(reduce(state, told(7)).cluster.now_us, 900);
  assert.equal(reduce(state, told(8)).cluster.now_us, 100);
});

// A page whose real time the test moves: `pass(ms)` and then a tick, `hear(seq, change)` news at this moment.
function ticking(cluster) {
  let now = 1000;
  let tick = null;
  const store = new Store({ ...initial({ cluster }), link: { state: 'live', since: 0 } });
  startTicking(store, { now: () => now, every: (call) => (tick = call) });
  const pass = (ms) => {
    now += ms;
    tick();
    return store.state.cluster.now_us;
  };
  const hear = (seq, change) => {
    const news = { from_seq: store.state.cluster.seq, seq, state: { cluster: { ...cluster, ...change } } };
    store.dispatch({ type: 'news', news });
  };
  return { store, pass, hear };
}

test('between news the clock moves evenly, by speed, from what the server said', () => {
  const { pass } = ticking({ wanted: 'running', speed: 10, seq: 7, now_us: 5_000_000 });
  assert.deepEqual(
    [pass(250), pass(250), pass(500)],
    [7_500_000, 10_000_000, 15_000_000],
  );
});

test('another speed goes on from the time that has passed, a pause holds it', () => {
  const { pass, hear } = ticking({ wanted: 'running', speed: 10, seq: 7, now_us: 0 });
  assert.equal(pass(1000), 10_000_000);
  hear(7, { speed: 1, now_us: 10_000_000 });
  assert.equal(pass(1000), 11_000_000);
  hear(7, { speed: 1, wanted: 'paused', now_us: 0 });
  assert.equal(pass(9000), 11_000_000);
});

test('without a connection nobody knows whether the run goes on: the clock stands', () => {
  const { store, pass } = ticking({ wanted: 'running', speed: 1, seq: 7, now_us: 0 });
  store.dispatch({ type: 'link', link: { state: 'reconnecting' } });
  assert.equal(pass(1000), 0);
});

test('a backoff runs with the clock and stops at its end', () => {
  const card = { backoff_start_us: 2_000_000, backoff_end_us: 6_000_000 };
  assert.deepEqual(
    [1, 2, 3, 5, 6, 9].map((second) => backoffOf(card, second * 1_000_000)),
    [
      { share: 0, left: 5_000_000 },
      { share: 0, left: 4_000_000 },
      { share: 0.25, left: 3_000_000 },
      { share: 0.75, left: 1_000_000 },
      { share: 1, left: 0 },
      { share: 1, left: 0 },
    ],
  );
});
