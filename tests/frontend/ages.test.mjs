// Ages on a page go on with the clock in its head.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAges, words } from '../../static/js/ages.js';

const SECOND = 1_000_000;
const at = (seconds) => ({ now_us: seconds * SECOND, start_us: 0 });
const element = (dataset) => ({ dataset, textContent: '' });

test('an age grows and what is left shrinks, down to nothing', () => {
  assert.equal(words(element({ since: '0' }), at(61)), '61s');
  assert.equal(words(element({ until: String(300 * SECOND) }), at(60)), '4m');
  assert.equal(words(element({ until: '0' }), at(60)), '0s');
  assert.equal(words(element({ clock: '' }), at(60)), '00:01:00.000');
});

test('every one is told anew when the clock moves', () => {
  const all = [element({ since: '0' }), element({ until: String(90 * SECOND) })];
  const store = Object.assign(new EventTarget(), { state: { cluster: at(30) } });
  startAges(store, { querySelectorAll: () => all });
  store.dispatchEvent(new Event('change'));
  assert.deepEqual(all.map((one) => one.textContent), ['30s', '60s']);
});
