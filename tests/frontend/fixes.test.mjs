// What is said of changes that were tried for a waiting pod.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { better, podLinks, summary } from '../../static/js/fixes.js';
import { parts } from '../../static/js/rich.js';

const told = (answer, found) => summary(answer, found).map(([, text]) => text).join('');
const asked = (total, more = {}) => ({ seq: 1284, total, as_it_is: '', silent: [], ...more });
const [fits, none] = [{ outcome: 'fits' }, { outcome: 'no help' }];

test('a name that decides is bold and has no backticks', () => {
  assert.deepEqual(parts('no label **`zone=a`** on `b`'), [['', 'no label '], ['bold', 'zone=a'], ['', ' on '], ['code', 'b']]);
});

test('fixes come in the order of their ranks, part by part', () => {
  const [a, b, c] = [[0, 0, 1, 0.25, 3], [0, 0, 1, 0.5, 1], [2, 0, 0, 0, 0]].map((rank) => ({ rank }));
  assert.deepEqual([c, b, a].sort(better), [a, b, c]);
  assert.equal(better(a, a), 0);
});

test('names and what decides are marked, nothing else is', () => {
  assert.deepEqual(parts('Ask for **6** gpu on `node-1` <b>now</b>'), [
    ['', 'Ask for '],
    ['bold', '6'],
    ['', ' gpu on '],
    ['code', 'node-1'],
    ['', ' <b>now</b>'],
  ]);
});

test('the pods that a change concerns lead to their pages', () => {
  const fix = { moved: [{ pod: 'ml/a' }], evicted: [{ pod: 'ml/b' }], also: [{ pod: 'ml/c', node: 'n' }] };
  assert.deepEqual(podLinks(fix, '/c/demo/'), { 'ml/a': '/c/demo/pods/ml/a/', 'ml/b': '/c/demo/pods/ml/b/', 'ml/c': '/c/demo/pods/ml/c/' });
});

test('one sentence tells how many were tried, and says openly that none was found', () => {
  assert.equal(told(asked(4), [fits, fits, fits, none]), '4 changes tried, 3 help (event 1,284).');
  assert.equal(told(asked(1), [fits]), '1 change tried, it helps (event 1,284).');
  assert.equal(told(asked(2), [none, none]), 'None found. 2 changes tried, and none lets it fit (event 1,284).');
  assert.equal(told(asked(0), []), 'None found. There is no change that would be worth a try (event 1,284).');
  assert.match(told(asked(1, { silent: ['A', 'B'] }), [none]), / Not tried: what would settle A and B, for which no change is known\.$/);
  assert.doesNotMatch(told(asked(1, { silent: ['A'] }), [fits]), /Not tried/);
  const fine = asked(0, { as_it_is: 'Lands on `n1`' });
  assert.equal(told(fine, []), 'It fits as it is. Lands on n1. Its turn has just not come yet (event 1,284).');
});
