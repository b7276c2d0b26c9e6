// A run that is to stop by itself says at what, and how far that is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilWords } from '../../static/js/until.js';

const cluster = {
  wanted: 'running',
  start_us: 0,
  now_us: 61_500_000,
  until: [
    { aim: 'cycle 12 is over', missing: '3 to go', at_us: null },
    { aim: 'a pod is placed', missing: '', at_us: null },
    { aim: 'it is 1970-01-01T00:01:30Z', missing: '', at_us: 90_000_000 },
  ],
};

test('each condition with what is missing; of a moment the clock tells it', () => {
  assert.deepEqual(untilWords(cluster), [
    'cycle 12 is over (3 to go)',
    'a pod is placed',
    'it is 00:01:30 (29 s to go)',
  ]);
});

test('nothing is said where no run goes or none is to stop', () => {
  assert.deepEqual(untilWords({ ...cluster, wanted: 'paused' }), []);
  assert.deepEqual(untilWords({ ...cluster, until: undefined }), []);
});
