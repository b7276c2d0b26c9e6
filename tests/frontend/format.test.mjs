import { test } from 'node:test';
import assert from 'node:assert/strict';
import {
  age,
  clock,
  left,
  milliseconds,
  percent,
  plural,
  rounded,
  shortResource,
  signed,
  splitKey,
} from '../../static/js/format.js';
import { timed } from '../../static/js/timed.js';

const S = 1_000_000;

test("ages are kubectl's", () => {
  const seconds = {
    0: '0s',
    119: '119s',
    120: '2m',
    192: '3m12s',
    599: '9m59s',
    600: '10m',
    10_799: '179m',
    10_800: '3h',
    12_000: '3h20m',
    28_800: '8h',
    172_799: '47h',
    172_800: '2d',
    273_600: '3d4h',
    691_200: '8d',
    63_072_000: '2y',
    65_664_000: '2y30d',
  };
  for (const [given, expected] of Object.entries(seconds)) assert.equal(age(Number(given) * S), expected);
});

test('the clock counts from the beginning of the cluster', () => {
  assert.equal(clock(192_480_000 + 5, 5), '00:03:12.480');
  assert.equal(clock(0, 5), '00:00:00.000');
  assert.equal(clock(360_000 * S, 0, false), '100:00:00');
});

test('what is left is exact under a minute', () => {
  assert.equal(left(600_000), '0.600s');
  assert.equal(left(-5), '0.000s');
  assert.equal(left(108 * S), '108s');
});

test('figures keep their words', () => {
  assert.equal(milliseconds(null), '');
  assert.equal(milliseconds(3.104), '3.10 ms');
  assert.equal(milliseconds(402.4), '402 ms');
  assert.equal(percent(0.29), '29%');
  assert.equal(percent(0.999), '99%');
  assert.equal(plural(1, 'node'), '1 node');
  assert.equal(plural(5000, 'node'), '5,000 nodes');
  assert.equal(signed(-4), '−4');
  assert.equal(shortResource('nvidia.com/gpu'), 'gpu');
  assert.deepEqual(splitKey('shop/web-1'), ['shop', 'web-1']);
});

test('a cycle lasts until its last task ends, gaps included, and then its PostFilter', () => {
  const tasks = [
    { start_ms: 0, ms: 2 },
    { start_ms: 5, ms: 1.5 },
    { start_ms: 3, ms: 1 },
  ];
  const phases = [{ name: 'Map', ms: 4 }];
  assert.deepEqual(timed({ tasks: [], phases: [] }), { tasks: [], span: 0, phases: 0 });
  assert.deepEqual(timed({ tasks, phases }), { tasks, span: 6.5, phases: 4 });
  const { tasks: all, span } = timed({ tasks, phases: [...phases, { name: 'PostFilter', ms: 0.5 }] });
  assert.equal(span, 7);
  assert.deepEqual([all.at(-1).label, all.at(-1).start_ms, all.at(-1).ms], ['PostFilter', 6.5, 0.5]);
});

test('a figure that is rounded says so, and an exact one does not', () => {
  assert.equal(rounded(2 * Math.log(5), 2), '≈ 3.22');
  assert.equal(rounded(2.5, 2), '2.50');
  assert.equal(rounded(0, 2), '0.00');
  assert.equal(rounded(0.1 + 0.2, 2), '≈ 0.30');
});
