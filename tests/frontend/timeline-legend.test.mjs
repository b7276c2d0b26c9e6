// The legend of the timeline has the signs that are to be seen, and no others.
import test from 'node:test';
import assert from 'node:assert/strict';
import { signsOf } from '../../static/js/elements/timeline-legend.js';

const marks = ['refused', 'move', 'profile', 'placed', 'placed'].map((sign, at) => ({ seq: at + 1, sign }));

test('each sign once, in the order of the legend; what has no sign of its own is another change', () => {
  assert.deepEqual(signsOf(marks, new Set()), ['placed', 'refused', 'object', 'move']);
});

test('what an undo took back is told of where it is in sight', () => {
  assert.equal(signsOf(marks, new Set([4])).at(-1), 'undone');
  assert.equal(signsOf(marks.slice(0, 3), new Set([4])).includes('undone'), false);
});
