// What an algorithm that was not run for the pod says when its cell is opened.
import test from 'node:test';
import assert from 'node:assert/strict';
import { explainer } from '../../static/js/explain.js';

test('the cell of a skipped algorithm is told as such, and nothing is asked of the server', async () => {
  globalThis.fetch = () => assert.fail('asked');
  const seen = [];
  const store = { state: { ui: {} }, dispatch: (action) => seen.push(action) };
  await explainer(store, '/c/x/')({ number: 1, algorithms: [{ name: 'NodeAffinity', state: 'skip' }] }, 'node-a', 'NodeAffinity');
  assert.match(seen.at(-1).explained.absent, /skipped/);
  assert.equal(seen.at(-1).explained.error, undefined);
});
