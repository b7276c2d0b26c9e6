// The part of the timeline that is drawn, and where the shown event stands in it.
import test from 'node:test';
import assert from 'node:assert/strict';
import { part, undone } from '../../static/js/elements/timeline-marks.js';
import { nearest } from '../../static/js/elements/timeline-drag.js';

const marks = Array.from({ length: 100 }, (_, at) => ({ seq: 10 + at * 2 }));

test('the present stands at the end of the newest marks', () => {
  const { shown, at, atHead } = part(marks, Infinity, 20);
  assert.deepEqual([shown.length, shown[0].seq, at, atHead], [20, 170, 19, true]);
});

test('a past event is among the marks and stands at its own, or after the one before it', () => {
  for (const seq of [50, 51]) {
    const { shown, at, atHead } = part(marks, seq, 20);
    assert.equal(shown[at].seq, 50);
    assert.equal(atHead, false);
  }
  const near = part(marks, 200, 20);
  assert.deepEqual([near.shown[near.at].seq, near.atHead], [200, true]);
});

test('an event before all marks stands before the first', () => {
  assert.equal(part(marks, 3, 20).at, -1);
});

test('a drag finds the event that is nearest', () => {
  const place = (at) => 8 + at * 20;
  assert.deepEqual(
    [-50, 8, 17, 19, 48, 900].map((x) => nearest(x, 4, place)),
    [0, 0, 0, 1, 2, 3],
  );
  assert.equal(nearest(5, 0, place), -1);
});

test('what an undo took back does not count, unless a later undo went back to it', () => {
  const log = (...resets) => [1, 2, 3, 4, 5, 6, 7, 8].map((seq) => ({ seq, to_seq: resets[seq] }));
  const off = (marks) => [...undone(marks)].sort();
  assert.deepEqual(off(log()), []);
  assert.deepEqual(off(log(null, null, null, null, null, 2).map(clean)), [3, 4]);
  assert.deepEqual(off(log(null, null, null, null, null, 2, null, 4).map(clean)), [5, 6]); // redone: 3 and 4 count again
});

const clean = ({ seq, to_seq: to }) => (to ? { seq, to_seq: to } : { seq });
