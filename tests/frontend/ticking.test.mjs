// The clock between news: by speed while a run at a speed goes on, never otherwise, never back.
import test from 'node:test';
import assert from 'node:assert/strict';
import { initial, reduce } from '../../static/js/store.js';
import { presentUs } from '../../static/js/ticking.js';

test('time passes by speed while running', () => {
  assert.equal(presentUs({ wanted: 'running', speed: 10, now_us: 5 }, 250), 2_500_005);
  assert.equal(presentUs({ wanted: 'running', speed: 0.01, now_us: 0 }, 1000), 10_000);
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
