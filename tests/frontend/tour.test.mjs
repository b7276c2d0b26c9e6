// Which steps the tour of the board has, and where its note stands beside what it speaks of.
import test from 'node:test';
import assert from 'node:assert/strict';
import { STEPS, beside, present, wordsOf } from '../../static/js/tour-steps.js';

const room = { width: 1440, height: 900 };
const size = { width: 336, height: 160 };
const box = (left, top, width, height) => ({ left, top, width, height, right: left + width, bottom: top + height });
const apart = (rect, { x, y }) =>
  x >= rect.right || x + size.width <= rect.left || y >= rect.bottom || y + size.height <= rect.top;

test('there are six steps, and each is told at the first of its places that is on screen', () => {
  const all = present((selector) => selector);
  assert.equal(all.length, 6);
  assert.deepEqual(all.map(({ element }) => element), STEPS.map(({ at }) => at[0]));
});

test('where no node was scored the cells are not spoken of', () => {
  const step = STEPS.find(({ without }) => without);
  const at = (own) => ({ matches: (selector) => selector.split(', ').includes(own) });
  assert.equal(wordsOf(step, at('.matrix-win')).text, step.text);
  assert.notEqual(wordsOf(step, at('#cycle')).text, step.text);
  assert.equal(wordsOf(STEPS[0], at('#queues')), STEPS[0]);
});

test('a step of which nothing is on screen is left out, one with a second place is not', () => {
  const found = present((selector) => (selector.includes('run-controls') || selector === '.matrix-win' ? null : selector));
  assert.deepEqual(found.map(({ step }) => step.title).includes('Step once'), false);
  assert.equal(found.length, 5);
  assert.equal(found[1].element, 'score-matrix .cell-open');
});

for (const [where, rect] of [
  ['a column at the left', box(64, 48, 300, 740)],
  ['a column at the right', box(1040, 48, 400, 740)],
  ['a button of the top bar', box(700, 10, 28, 28)],
  ['the timeline along the bottom', box(64, 796, 1376, 104)],
])
  test(`the note stands beside ${where} and inside the window`, () => {
    const at = beside(rect, size, room);
    assert.ok(apart(rect, at));
    assert.ok(at.x >= 0 && at.y >= 0 && at.x + size.width <= room.width && at.y + size.height <= room.height);
  });

test('what fills a phone is spoken of from inside, without leaving the window', () => {
  const at = beside(box(0, 0, 390, 844), size, { width: 390, height: 844 });
  assert.ok(at.x >= 0 && at.x + size.width <= 390 && at.y >= 0 && at.y + size.height <= 844);
});
