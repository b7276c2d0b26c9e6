// What there is to redo after a redo.
import test from 'node:test';
import assert from 'node:assert/strict';
import { redone } from '../../static/js/redo.js';

test('after a redo the one before it counts from the new head', () => {
  const undone = [
    { to: 10, at: 11 },
    { to: 11, at: 12 },
  ];
  assert.deepEqual(redone(undone, 13), [{ to: 10, at: 13 }]);
  assert.deepEqual(redone(redone(undone, 13), 14), []);
});
