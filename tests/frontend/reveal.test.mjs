// Cells of a phase step appear as the workers returned them.
import test from 'node:test';
import assert from 'node:assert/strict';
import { arrivals, without } from '../../static/js/reveal.js';
import { openCycle } from './fixture.mjs';

const task = (kind, label, end) => ({ kind, label, worker: 'w1', start_ms: 0, ms: end, resent: false });

function mapped() {
  const cycle = openCycle();
  cycle.algorithms[0].state = cycle.algorithms[2].state = 'raw';
  cycle.rows.raw = [[1, 2, 3], null, [4, 5, 6]];
  cycle.tasks = [task('map', 'nodes 1–2', 9), task('map', 'node 3', 4)];
  return cycle;
}

function reduced() {
  const cycle = mapped();
  cycle.algorithms[0].state = cycle.algorithms[2].state = 'set';
  cycle.rows.normalized = cycle.rows.weighted = [[0, 50, 100], null, [100, 50, 0]];
  cycle.tasks.push(task('reduce', 'Fit', 30), task('reduce', 'Taint', 20));
  return cycle;
}

test('ranges come in the order of their return', () => {
  assert.deepEqual(arrivals(openCycle(), mapped()), [{ rows: [2, 3] }, { rows: [0, 2] }]);
});

test('columns settle in the order of their reduces', () => {
  assert.deepEqual(arrivals(mapped(), reduced()), [{ algorithm: 'Taint' }, { algorithm: 'Fit' }]);
});

test('cells of ranges that are missing are not there yet', () => {
  const { rows, algorithms } = without(mapped(), [{ rows: [0, 2] }]);
  assert.deepEqual(rows.raw, [[null, null, 3], null, [null, null, 6]]);
  assert.deepEqual(
    algorithms.map((one) => one.state),
    ['mapping', 'skip', 'mapping'],
  );
});

test('a column whose reduce is missing shows its raw cells still', () => {
  const { rows, algorithms } = without(reduced(), [{ algorithm: 'Fit' }]);
  assert.deepEqual(rows.normalized, [null, null, [100, 50, 0]]);
  assert.deepEqual(rows.raw[0], [1, 2, 3]);
  assert.equal(algorithms[0].state, 'reducing');
});

test('at the end the cycle itself is shown', () => {
  const cycle = mapped();
  assert.equal(without(cycle, []), cycle);
});

test('nothing is played for another cycle, a finished one, one turned back, or a single task', () => {
  assert.deepEqual(arrivals({ ...openCycle(), number: 8 }, mapped()), []);
  assert.deepEqual(arrivals(openCycle(), { ...mapped(), outcome: 'bound' }), []);
  assert.deepEqual(arrivals(openCycle(), { ...mapped(), whole: mapped() }), []);
  assert.deepEqual(arrivals(null, mapped()), []);
  assert.deepEqual(arrivals(openCycle(), { ...mapped(), tasks: [task('map', 'nodes 1–3', 4)] }), []);
});

test('a whole list comes by itself, whatever the ranges do', () => {
  const cycle = mapped();
  cycle.algorithms[2] = { ...cycle.algorithms[2], whole_list: true };
  cycle.tasks.push(task('map', 'Taint: whole list', 6));
  const coming = arrivals(openCycle(), cycle);
  assert.deepEqual(coming, [{ rows: [2, 3] }, { list: 'Taint' }, { rows: [0, 2] }]);
  assert.deepEqual(without(cycle, coming.slice(1)).rows.raw, [[null, null, 3], null, [null, null, null]]);
  assert.deepEqual(without(cycle, coming.slice(2)).rows.raw, [[null, null, 3], null, [4, 5, 6]]);
});

test('an error in a cell comes with its range', () => {
  const cycle = mapped();
  cycle.rows.failed = [['broke', null, null], null, null];
  assert.deepEqual(without(cycle, [{ rows: [0, 2] }]).rows.failed, [[null, null, null], null, null]);
  assert.deepEqual(without(cycle, [{ rows: [2, 3] }]).rows.failed, [['broke', null, null], null, null]);
});
