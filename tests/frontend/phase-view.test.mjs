// A finished cycle turned back phase by phase: each shows what was known then, and nothing of later ones.
import test from 'node:test';
import assert from 'node:assert/strict';
import { reached, turned } from '../../static/js/phase-view.js';
import { cycle } from './fixture.mjs';

// From the end back to `phase`.
function back(whole, phase) {
  let view = whole;
  for (let step = 0; step < 20 && view.phase !== phase; step += 1) view = turned(view, -1);
  assert.equal(view.phase, phase);
  return view;
}
const known = (layer) => layer.some((column) => column !== null);

test('before the filters nothing is known of any node', () => {
  const view = back(cycle(), 'PreFilter');
  assert.deepEqual([view.rows.names, view.refusals, view.funnel, view.feasible], [[], [], [], 0]);
  assert.match(view.sentence, /is being placed\.$/);
});

test('each layer appears with its phase', () => {
  const seen = ['Filter', 'Map', 'Reduce', 'Sum'].map((phase) => {
    const { rows } = back(cycle(), phase);
    return [known(rows.raw), known(rows.normalized), rows.totals !== null];
  });
  assert.deepEqual(seen, [
    [false, false, false],
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});

test('the order of rows does not tell the winner before there are totals', () => {
  const whole = cycle();
  const { rows, winner } = back(whole, 'Reduce');
  const sorted = [...rows.names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  assert.deepEqual(rows.names, sorted);
  assert.equal(winner, '');
  const at = whole.algorithms.findIndex((_, index) => whole.rows.raw[index]);
  rows.names.forEach((name, row) => assert.equal(rows.raw[at][row], whole.rows.raw[at][whole.rows.names.indexOf(name)]));
});

test('later phases are idle, tasks of later phases are not told', () => {
  const view = back(cycle(), 'Map');
  assert.equal(view.phases[reached(view)].name, 'Map');
  assert.ok(view.tasks.every((task) => task.kind !== 'reduce'));
  assert.ok(view.algorithms.every(({ state }) => ['raw', 'skip', 'not_scored'].includes(state)));
});

test('forth again ends at the cycle itself, back ends at its Pop', () => {
  const whole = cycle();
  let view = back(whole, 'Filter');
  for (let step = 0; step < 20; step += 1) view = turned(view, 1);
  assert.equal(view, whole);
  for (let step = 0; step < 20; step += 1) view = turned(view, -1);
  assert.equal(view.phase, 'Pop');
});
