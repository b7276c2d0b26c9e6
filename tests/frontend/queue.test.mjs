import { test } from 'node:test';
import assert from 'node:assert/strict';
import { graph } from '../../static/js/elements/queue-graph-layout.js';

const place = (name, count) => ({ name, count });
const edge = (source, target, count) => ({ source, target, count, causes: [{ cause: 'X', hint: '', count }] });
const PLACES = ['active', 'backoff', 'error_backoff', 'unschedulable', 'gated', 'in_flight', 'bound'];
const flow = (...edges) => ({ seq: 1, places: PLACES.map((name, at) => place(name, at)), edges });

test('the usual lines are there before anybody went, and carry no count', () => {
  const { lines, places } = graph(flow(), false);
  assert.ok(lines.some(({ key, edge: one }) => key === 'active>in_flight' && one === null));
  assert.ok(!places.some(({ name }) => name === 'gated' || name === 'gone'));
});

test('a place that is seldom used appears with its first pod', () => {
  const { lines, places } = graph(flow(edge('new', 'gated', 2), edge('active', 'gone', 1)), false);
  assert.equal(lines.find(({ key }) => key === 'new>gated').edge.count, 2);
  assert.deepEqual(places.filter(({ name }) => ['gated', 'gone'].includes(name)).length, 2);
  assert.equal(places.find(({ name }) => name === 'gone').count, null);
});

test('the picture begins at its highest place', () => {
  const top = (...edges) => graph(flow(...edges), false).view[1];
  assert.ok(top() > 100);
  assert.equal(top(edge('new', 'gated', 1)), 0);
});

for (const narrow of [false, true]) {
  test(`every count stands inside the ${narrow ? 'narrow' : 'wide'} picture`, () => {
    const all = PLACES.flatMap((a) => [...PLACES, 'gone'].map((b) => edge(a, b, 9)));
    const { view, lines } = graph(flow(...all, edge('new', 'active', 1), edge('new', 'gated', 1)), narrow);
    const [left, top, width, height] = view;
    for (const { key, at } of lines) {
      assert.ok(at[0] > left && at[0] < left + width && at[1] > top && at[1] < top + height, `${key} ${at}`);
    }
  });
}

test('the longest cause of a line back to activeQ stays clear of the box of backoffQ', () => {
  const half = 0.5 * 'UnschedulableTimeout'.length * 5.6; // px at 10.5 px a letter's height
  const { lines, places } = graph(flow(edge('unschedulable', 'active', 1)), false);
  const { at, aside } = lines.find(({ key }) => key === 'unschedulable>active');
  const [left, , width] = places.find(({ name }) => name === 'backoff').box;
  assert.ok(at[0] + aside - half > left + width);
});
