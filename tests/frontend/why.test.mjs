// The table of every node: what is left by filters, in which order, and how amounts are written.
import assert from 'node:assert/strict';
import test from 'node:test';

import { inOneUnit } from '../../static/js/quantity.js';
import { brief, hasOthers, isShort, measured, ordered, shortages, wanted } from '../../static/js/why-rows.js';

const nodes = {
  names: ['a-10', 'a-9', 'b-1'],
  zones: ['north', 'north', 'south'],
  types: ['large', 'small', 'small'],
  reasons: [
    ['NodeResourcesFit', 'Insufficient cpu'],
    ['TaintToleration', 'node(s) had untolerated taint {dedicated: ml}'],
  ],
  of: [[0], [0, 1], [1]],
  totals: null,
  kept: null,
  before: [null, [0], null],
  resources: [{ name: 'cpu', asked: 2000, free: [1000, 500, 4000], allocatable: [4000, 4000, 4000] }],
};
const ALL = [0, 1, 2];

const written = (resource, ...amounts) => amounts.map(inOneUnit(resource, amounts));

test('an amount alone is written in whole ones, and what is less than one in parts', () => {
  assert.deepEqual([500, 2000, 27330, 0].flatMap((one) => written('cpu', one)), ['500m', '2', '27.33', '0']);
  const bytes = [0, 1023, 1024, 1536 * 2 ** 20, 2 ** 31, 1000];
  assert.deepEqual(bytes.flatMap((one) => written('memory', one)), ['0', '1023', '1Ki', '1.5Gi', '2Gi', '1000']);
  assert.deepEqual(written('example.com/gpu', 2048, 1), ['2048', '1']);
});

test('amounts of one column are in one unit', () => {
  assert.deepEqual(written('cpu', 48000, 7860, 0), ['48', '7.86', '0']);
  assert.deepEqual(written('memory', 96 * 2 ** 30, 61952 * 2 ** 20, 0), ['96Gi', '60.5Gi', '0']);
  assert.deepEqual(written('memory', 60 * 2 ** 30, 15_623_456 * 2 ** 10, 2 ** 20), ['60Gi', '≈14.9Gi', '<0.01Gi']);
  assert.deepEqual(written('memory', 1536 * 2 ** 30, 64 * 2 ** 30 + 2 ** 20), ['1536Gi', '≈64Gi']);
  const [cpu] = measured(nodes).resources;
  assert.deepEqual([cpu.written(1000), cpu.written(4000)], ['1', '4']);
});

test('every word of the filter must be found in a name, zone, type, plugin or reason', () => {
  assert.deepEqual(wanted(nodes, '', ''), ALL);
  assert.deepEqual(wanted(nodes, 'NORTH small', ''), [1]);
  assert.deepEqual(wanted(nodes, 'dedicated', ''), [1, 2]);
  assert.deepEqual(wanted(nodes, 'nowhere', ''), []);
});

test('a reason leaves the nodes that have it', () => {
  assert.deepEqual(wanted(nodes, '', 'Insufficient cpu'), [0, 1]);
  assert.deepEqual(wanted(nodes, 'a-9', 'Insufficient cpu'), [1]);
});

test('the order is that of the server until another is asked for', () => {
  assert.deepEqual(ordered(nodes, ALL, 'near'), ALL);
  assert.deepEqual(ordered(nodes, ALL, 'name'), [1, 0, 2]);
  assert.deepEqual(ordered(nodes, ALL, 'cpu'), [2, 0, 1]);
  assert.deepEqual(ordered(nodes, ALL, '-cpu'), [1, 0, 2]);
  assert.deepEqual(ordered(nodes, ALL, '-reasons'), [1, 0, 2]);
  assert.deepEqual(ordered(nodes, ALL, 'changed'), [1, 0, 2]);
});

test('columns that would say the same everywhere are left out', () => {
  assert.ok(isShort(nodes.resources[0]));
  assert.ok(hasOthers(nodes));
  assert.ok(!hasOthers({ ...nodes, of: [[0], [0], [0]] }));
});

test('what is short is told over the rows that are listed', () => {
  const short = (name) => name;
  assert.equal(shortages(nodes, ALL, short), '2 short of cpu');
  assert.equal(shortages(nodes, [0], short), 'short of cpu');
  assert.equal(shortages(nodes, [2], short), '');
});

test('a reason is shortened to what names the hindrance', () => {
  assert.equal(brief('node(s) had untolerated taint {a: b}'), 'untolerated taint {a: b}');
  assert.equal(brief('node(s) were unschedulable'), 'cordoned');
  assert.equal(brief("node(s) didn't match Pod's node affinity/selector"), 'other node affinity/selector');
});
