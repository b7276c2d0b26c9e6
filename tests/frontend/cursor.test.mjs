// The cell that the arrow keys are at stays within the matrix.
import test from 'node:test';
import assert from 'node:assert/strict';
import { moved } from '../../static/js/elements/matrix-cursor.js';

test('arrows go from cell to cell and stop at the edges', () => {
  assert.deepEqual(moved('ArrowDown', { y: 0, x: 1 }, 3, 7), { y: 1, x: 1 });
  assert.deepEqual(moved('ArrowDown', { y: 2, x: 1 }, 3, 7), { y: 2, x: 1 });
  assert.deepEqual(moved('ArrowUp', { y: 0, x: 1 }, 3, 7), { y: 0, x: 1 });
  assert.deepEqual(moved('ArrowLeft', { y: 0, x: 0 }, 3, 7), { y: 0, x: 0 });
  assert.deepEqual(moved('ArrowRight', { y: 0, x: 6 }, 3, 7), { y: 0, x: 6 });
});

test('Home and End go along the row, pages by ten rows', () => {
  assert.deepEqual(moved('End', { y: 1, x: 1 }, 30, 7), { y: 1, x: 6 });
  assert.deepEqual(moved('Home', { y: 1, x: 5 }, 30, 7), { y: 1, x: 0 });
  assert.deepEqual(moved('PageDown', { y: 25, x: 5 }, 30, 7), { y: 29, x: 5 });
});

test('other keys move nothing', () => {
  assert.equal(moved('s', { y: 1, x: 1 }, 3, 7), null);
});
