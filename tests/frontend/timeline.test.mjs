// The part of the timeline that is drawn, and where the shown event stands in it.
import test from 'node:test';
import assert from 'node:assert/strict';
import { part, undone } from '../../static/js/elements/timeline-marks.js';
import { nearest } from '../../static/js/elements/timeline-drag.js';
import { OlderMarks } from '../../static/js/elements/timeline-older.js';
import { TimelineView } from '../../static/js/elements/timeline-view.js';

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

const WIDTH = 24 + 9 * 20; // px: room for 20 marks at the usual zoom

test('the view goes earlier by half of itself, stays there while marks come, and follows the newest again at the end', () => {
  const view = new TimelineView();
  const shown = (all = marks) => view.of(all, Infinity, WIDTH).shown.map(({ seq }) => seq);
  assert.deepEqual([shown()[0], shown().length], [170, 20]);
  assert.equal(view.pan(-1), true);
  assert.equal(shown()[0], 150);
  assert.equal(shown([...marks, { seq: 300 }])[0], 150);
  assert.equal(view.pan(1), true);
  assert.equal(shown([...marks, { seq: 300 }]).at(-1), 300);
  assert.equal(view.middle, null);
  assert.equal(shown()[0], 170);
  assert.equal(view.pan(1), false);
});

test('the view is turned closer and farther around the shown event, as far as there is more or less to see', () => {
  const view = new TimelineView();
  const seen = () => view.of(marks, 100, WIDTH);
  assert.equal(seen().shown.length, 20);
  view.turn(1);
  assert.equal(seen().shown.length, 10);
  assert.equal(seen().shown[seen().at].seq, 100);
  view.turn(-1);
  view.turn(-1);
  view.turn(-1);
  assert.deepEqual([seen().shown.length, view.can(-1), view.can(1)], [60, false, true]);
  view.of(marks.slice(0, 5), Infinity, WIDTH);
  assert.deepEqual([view.can(1), view.can(-1)], [false, false]);
});

test('older marks stay while new ones push out the oldest, and go where a gap would be between', () => {
  const older = new OlderMarks('/c/demo/');
  const run = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => ({ seq: from + at }));
  const given = run(11, 20);
  assert.equal(older.with(given), given);
  older.held = run(1, 20);
  assert.equal(older.with(given).length, 20);
  assert.deepEqual([older.with(run(13, 22)).length, older.with(run(13, 22))[0].seq], [22, 1]);
  const far = run(90, 99);
  assert.equal(older.with(far), far);
});

const clean = ({ seq, to_seq: to }) => (to ? { seq, to_seq: to } : { seq });
