import { test } from 'node:test';
import assert from 'node:assert/strict';
import { best, column, flat, order, ranks, rescored, scaleOf, shades, totalsOf } from '../../static/js/scores.js';
import { totalOf } from '../../static/js/total.js';
import { cycle, openCycle } from './fixture.mjs';

test('summing the weighted layer gives the totals that the server sent', () => {
  const held = cycle();
  const weights = held.algorithms.map((one) => one.weight);
  assert.deepEqual(rescored(held, weights).totals, held.rows.totals);
});

test('the leaders under the weights of the profile are the tied nodes', () => {
  const held = cycle();
  const { leaders } = rescored(
    held,
    held.algorithms.map((one) => one.weight),
  );
  assert.deepEqual(leaders.map((row) => held.rows.names[row]).sort(), [...held.tie.nodes].sort());
});

test('another weight moves the lead', () => {
  const made = { ...openCycle(), winner: 'a' };
  made.algorithms.forEach((one) => {
    if (one.state !== 'skip') one.state = 'set';
  });
  made.rows = { ...made.rows, normalized: [[0, 100, 50], null, [60, 20, 40]] };
  assert.deepEqual(rescored(made, [1, 1, 3]).totals, [180, 160, 170]);
  assert.deepEqual(rescored(made, [2, 1, 3]).leaders, [1]);
});

test('a binned row never leads', () => {
  const made = openCycle();
  made.rows = { ...made.rows, normalized: [[10, 20, 90], null, null], bins: [1, 1, 12] };
  assert.deepEqual(rescored(made, [1, 1, 1]).leaders, [1]);
});

test('a column is skip, wait, raw or a value by what is known of it', () => {
  const made = openCycle();
  const kinds = () => made.algorithms.map((_, at) => column(made, at, 'normalized').kind);
  assert.deepEqual(kinds(), ['wait', 'skip', 'wait']);
  made.rows.raw[0] = [1, null, null];
  assert.deepEqual(kinds(), ['raw', 'skip', 'wait']);
  made.rows.normalized[0] = [1, 2, 3];
  assert.deepEqual(kinds(), ['value', 'skip', 'wait']);
});

test('an algorithm without a reduce is settled when all of its ranges are back', () => {
  const made = openCycle();
  made.algorithms[0].state = 'as_is';
  made.rows.raw[0] = [1, 2, null];
  assert.equal(totalsOf(made).totals, null);
  made.rows.raw[0] = [1, 2, 3];
  assert.deepEqual(totalsOf(made), { totals: [1, 2, 3], settled: 1, of: 2, final: false });
});

test('weighted follows from normalised where the server has not sent it', () => {
  const made = openCycle();
  made.rows.normalized[2] = [10, 0, 5];
  assert.deepEqual(column(made, 2, 'weighted').values, [30, 0, 15]);
});

test('rows are sorted by total, name, zone or a column, the winner first among equals', () => {
  const made = { ...openCycle(), winner: 'c' };
  made.rows.zones = ['y', 'x', 'x'];
  made.rows.normalized[0] = [5, 90, 5];
  assert.deepEqual(order(made, [7, 3, 7], 'total', 'normalized'), [2, 0, 1]);
  assert.deepEqual(order(made, [7, 3, 7], 'name', 'normalized'), [0, 1, 2]);
  assert.deepEqual(order(made, [7, 3, 7], 'zone', 'normalized'), [2, 1, 0]);
  assert.deepEqual(order(made, [7, 3, 7], 0, 'normalized'), [1, 2, 0]);
});

test('binned rows stay last in their own order', () => {
  const made = openCycle();
  made.rows.bins = [9, 1, 8];
  assert.deepEqual(order(made, [9, 1, 8], 'total', 'normalized'), [1, 0, 2]);
});

test('ties share a rank and the next one counts them', () => {
  assert.deepEqual(ranks([5, 9, 9, 1]), [3, 1, 1, 4]);
});

test('rings mark the best of a column, but not when more than three or all share it', () => {
  assert.deepEqual(best([1, 7, 7, 3]), [1, 2]);
  assert.deepEqual(best([1, 7, 7, 3], true), [0]);
  assert.deepEqual(best([7, 7, 7, 7, 1]), []);
  assert.deepEqual(best([7, 7]), []);
  assert.deepEqual(best([null, 4, 2]), [1]);
});

test('raw has a scale of its own a column, weighted one for all', () => {
  const made = openCycle();
  assert.deepEqual(shades(made, 0, 'raw', [-10, 0, 10]), [0, 50, 100]);
  assert.deepEqual(shades(made, 0, 'raw', [0, 0, 0]), [0, 0, 0]);
  assert.deepEqual(shades(made, 2, 'weighted', [300, 150, 0]), [100, 50, 0]);
  assert.equal(scaleOf(made), 400);
  assert.equal(flat([3, 3]), true);
});

test('a total is the sum of its parts, and what adds nothing says why', () => {
  const held = cycle();
  for (const node of held.rows.names) {
    const { total, parts } = totalOf(held, node);
    assert.equal(parts.reduce((sum, one) => sum + (one.weighted ?? 0), 0), total);
  }
  const open = openCycle();
  open.algorithms[0].state = 'set';
  open.rows = { ...open.rows, raw: [[0, 5, 9], null, null], normalized: [[0, 50, 100], null, null] };
  const { total, behind, rank, parts } = totalOf(open, 'a');
  assert.deepEqual([total, behind, rank], [0, 100, null]);
  assert.deepEqual(
    parts.map((one) => one.why),
    ['scored 0', 'skipped: not run for this pod', 'not reduced yet'],
  );
  open.algorithms[1].state = 'not_scored';
  assert.match(totalOf(open, 'a').parts[1].why, /^not scored: only one node/);
});
