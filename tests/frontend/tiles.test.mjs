// Names of tiles: whole where there is room; and whether what tiles say of a cycle is still of the cluster's present.
import test from 'node:test';
import assert from 'node:assert/strict';
import { naming } from '../../static/js/elements/tile-names.js';
import { judges, unjudged, verdictsOf } from '../../static/js/elements/verdict-age.js';

const group = (names, prefix = 0) => [{ tiles: names.map((name) => ({ name, short: name.slice(prefix) })) }];
const many = (length, name) => Array.from({ length }, (_, at) => `${name}${at}`);

test('short names are whole, however many nodes there are', () => {
  assert.deepEqual(naming(group(many(500, 'node-'), 5)), { whole: true, letters: 8 });
});

test('longer names are whole where few nodes leave room', () => {
  assert.deepEqual(naming(group(['openb-node-0001', 'openb-node-0002'], 11)), { whole: true, letters: 15 });
});

test('where there is none, what all names share is left out', () => {
  assert.deepEqual(naming(group(many(100, 'openb-node-00'), 11)), { whole: false, letters: 4 });
  assert.equal(naming(group(['x'.repeat(40)])).letters, 22);
});

const cycle = { number: 12, finished_seq: 40, outcome: 'bound' };
const mark = (seq, track) => ({ seq, track });

test('verdicts are those of the newest cycle', () => {
  assert.equal(verdictsOf(cycle, [mark(30, 'events'), mark(40, 'cycles')]), 'verdicts of cycle 12');
  assert.equal(verdictsOf(null, []), '');
  const open = { ...cycle, outcome: 'open', popped_seq: 39, finished_seq: null };
  assert.equal(verdictsOf(open, [mark(39, 'cycles')]), 'verdicts of cycle 12');
});

test('a change of the cluster after it makes them old', () => {
  const old = 'verdicts of cycle 12, before the cluster changed';
  assert.equal(verdictsOf(cycle, [mark(40, 'cycles'), mark(41, 'events')]), old);
  assert.equal(verdictsOf(cycle, [mark(41, 'events')], 40), 'verdicts of cycle 12');
  assert.equal(verdictsOf(cycle, [mark(41, 'moves')]), 'verdicts of cycle 12');
});

test('verdicts put themselves away once the pod is placed, unless somebody wants them', () => {
  const own = { verdicts: { cycle: 12, shown: true } };
  assert.deepEqual(
    [judges(null, {}), judges({ number: 12, outcome: 'open' }, {}), judges({ number: 12, outcome: 'unschedulable' }, {}), judges({ number: 12, outcome: 'bound' }, {})],
    [false, true, true, false],
  );
  assert.equal(judges({ number: 12, outcome: 'bound' }, own), true);
  assert.equal(judges({ number: 13, outcome: 'bound' }, own), false);
});

test('verdicts that were put away leave the node itself', () => {
  const tile = { name: 'a', cpu: 0.5, verdict: 'cpu', lead: true };
  const map = { node_count: 1, groups: [{ name: 'z', tiles: [tile] }] };
  assert.deepEqual(unjudged(map).groups[0].tiles, [{ name: 'a', cpu: 0.5, lead: true }]);
  assert.equal(tile.verdict, 'cpu');
});
