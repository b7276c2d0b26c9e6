// What is said while a run waits: for which timer, and for how long in real time.
import test from 'node:test';
import assert from 'node:assert/strict';
import { waitBrief, waitOf, waitWords } from '../../static/js/waiting.js';

const S = 1_000_000;
const lanes = (held = {}) =>
  ['in_flight', 'active', 'backoff', 'unschedulable', 'gated'].map((name) => ({
    name,
    count: held[name]?.length ?? 0,
    cards: held[name] ?? [],
  }));
const state = (cluster, held) => ({
  cluster: { wanted: 'running', speed: 10, now_us: 100 * S, start_us: 0, next_timer_us: 330 * S, ...cluster },
  lanes: lanes(held),
});

test('the flush is named, with its time on the clock and in real seconds', () => {
  const wait = waitOf(state({}, { unschedulable: [{ flush_us: 305 * S }] }));
  assert.equal(wait.seconds, 23);
  assert.equal(
    waitWords(wait, 0),
    'Idle until the flush of unschedulable pods at 00:05:30, in 23s at this speed.',
  );
  assert.equal(waitBrief(wait), 'Idle: next flush in 23s');
});

test('a backoff is named where it ends first', () => {
  const wait = waitOf(state({}, { unschedulable: [{ flush_us: 405 * S }], backoff: [{ backoff_end_us: 330 * S }] }));
  assert.equal(wait.what, 'the end of a backoff');
  assert.equal(waitOf(state({}, { gated: [{}] })).what, 'the next timer');
});

test('the countdown follows the clock', () => {
  const left = (now) => waitWords(waitOf(state({ now_us: now * S, speed: 1 })), 0).match(/, in (\w+) at this speed\.$/)[1];
  assert.deepEqual([left(0), left(211), left(320.5)], ['5m30s', '119s', '10s']);
});

test('slow motion does not slow a wait, and says so', () => {
  const wait = waitOf(state({ speed: 0.01, rate: 100 }, { unschedulable: [{ flush_us: 305 * S }] }));
  assert.deepEqual([wait.seconds, wait.shortened], [2.3, true]);
  assert.equal(waitWords(wait, 0), 'Idle until the flush of unschedulable pods at 00:05:30, in 3s: waits are not slowed down.');
});

test('nothing is said while there is work, at rest, flat out, in the past, or just before the timer', () => {
  for (const held of [{ active: [{}] }, { in_flight: [{}] }]) assert.equal(waitOf(state({}, held)), null);
  for (const cluster of [{ wanted: 'paused' }, { speed: 0 }, { next_timer_us: null }, { now_us: 329 * S }])
    assert.equal(waitOf(state(cluster)), null);
  assert.equal(waitOf({ ...state({}), past: true }), null);
});
