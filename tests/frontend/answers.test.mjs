// The map with the answers to a picked pod, and the answer in words.
import test from 'node:test';
import assert from 'node:assert/strict';
import { answered, answerWords } from '../../static/js/answers.js';

const tile = (name) => ({ name, lead: true, verdict: 'old' });
const map = { node_count: 2, groups: [{ name: 'a', tiles: [tile('one'), tile('two')] }] };
const refusal = { plugin: 'TaintToleration', word: 'taint', own: 1, reason: 'had a taint', nodes: ['two'], more: [1] };
const answers = { pod: 'a/b', feasible: 1, node_count: 2, error: '', because: '', refused: [refusal] };

test('nodes keep their look or print the first reason and how many more there are', () => {
  const { groups } = answered(map, answers);
  assert.deepEqual(groups[0].tiles, [
    { name: 'one', verdict: '' },
    { name: 'two', verdict: 'taint, 1 more', full: 'TaintToleration: had a taint, and 1 more reason' },
  ]);
  assert.equal(answered(map, null), map);
  assert.equal(answered(map, { ...answers, error: 'x' }), map);
});

test('resources that are short as well count among the further reasons', () => {
  const short = { plugin: 'NodeResourcesFit', word: 'cpu', own: 2, reason: 'Insufficient cpu, Insufficient memory', nodes: ['two'], more: [1] };
  const [{ tiles: [, two] }] = answered(map, { ...answers, refused: [short] }).groups;
  assert.equal(two.verdict, 'cpu, 2 more');
  assert.equal(two.full, 'NodeResourcesFit: Insufficient cpu, Insufficient memory, and 1 more reason');
  assert.equal(answered(map, { ...answers, refused: [{ ...short, own: 1, more: [] }] }).groups[0].tiles[1].verdict, 'cpu');
});

test('the answer is a sentence, with the cause where no node fits', () => {
  assert.equal(answerWords(answers), 'would fit on 1 of 2 nodes now');
  assert.equal(answerWords({ ...answers, feasible: 0, because: 'no node has **9 cpu** free' }), 'would fit on none of 2 nodes now: no node has **9 cpu** free');
  assert.match(answerWords({ ...answers, error: 'it broke' }), /it broke/);
});
