// Ages on a page go on with the clock in its head.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAges, words } from '../../static/js/ages.js';

const SECOND = 1_000_000;
const element = (dataset) => ({ dataset, textContent: '' });

test('an age grows and what is left shrinks, down to nothing', () => {
  assert.equal(words(element({ since: '0' }), 61 * SECOND), '61s');
  assert.equal(words(element({ until: String(300 * SECOND) }), 60 * SECOND), '4m');
  assert.equal(words(element({ until: '0' }), 60 * SECOND), '0s');
});

test('every one is told anew when the clock moves', () => {
  const all = [element({ since: '0' }), element({ until: String(90 * SECOND) })];
  const store = Object.assign(new EventTarget(), { state: { cluster: { now_us: 30 * SECOND } } });
  startAges(store, { querySelectorAll: () => all });
  store.dispatchEvent(new Event('change'));
  assert.deepEqual(all.map((one) => one.textContent), ['30s', '60s']);
});
