// The admin's amounts are read aloud by the same words in the browser and on the server (test_amounts.py).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { parsedAmount } from '../../static/js/admin/amount.js';

const cases = JSON.parse(readFileSync(new URL('./fixtures/amounts.json', import.meta.url)));

for (const [resource, text, told] of cases) {
  test(`${resource} ${text} is ${told}`, () => assert.equal(parsedAmount(resource, text), told));
}
