// How far the sliders of weights go.
import assert from 'node:assert/strict';
import { test } from 'node:test';

globalThis.HTMLElement ??= class {};
globalThis.customElements ??= { define() {} };
const { rangeOf } = await import('../../static/js/elements/weight-sliders.js');

test('sliders go to 10, and as far as the highest weight', () => {
  assert.equal(rangeOf(10, [1, 2, 3]), 10);
  assert.equal(rangeOf(10, [0, 10]), 10);
  assert.equal(rangeOf(10, [1, 11]), 20);
  assert.equal(rangeOf(10, [100]), 100);
  assert.equal(rangeOf(40, [1]), 40);
});
