// The admin's amounts are read aloud by the same words in the browser and on the server (test_amounts.py).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { compared, parsedAmount } from '../../static/js/admin/amount.js';

const cases = JSON.parse(readFileSync(new URL('./fixtures/amounts.json', import.meta.url)));

for (const [resource, text, told] of cases) {
  test(`${resource} ${text} is ${told}`, () => assert.equal(parsedAmount(resource, text), told));
}

test('quantities compare by what they stand for, and what is none does not', () => {
  const cases = [['12', '8', 1], ['8000m', '8', 0], ['1Gi', '1024Mi', 0], ['999Mi', '1Gi', -1], ['x', '8', null], ['8', '', null]];
  for (const [one, other, told] of cases) assert.equal(compared(one, other), told);
});
