// What is said of tasks that were lost with their worker.
import test from 'node:test';
import assert from 'node:assert/strict';
import { lostTasks } from '../../static/js/lost-tasks.js';

const note = '2 of 4 map tasks were lost, so they were computed in place.';

test('what was lost, that the numbers hold, and what to do', () => {
  assert.equal(
    lostTasks({ note, tasks: [{ resent: false }, { resent: true }] }),
    `${note} The numbers are the same. If a worker has died, start another: manage.py worker.`,
  );
});

test('nothing where nothing was lost', () => {
  assert.equal(lostTasks({ note: '', tasks: [{ resent: true }] }), '');
  assert.equal(lostTasks({ note: 'No worker was there, so it was computed in this process.', tasks: [{ resent: false }] }), '');
});
