// The map of the nodes: how wide its groups are, and where keys lead.
import test from 'node:test';
import assert from 'node:assert/strict';
import { across, below, pitchFor, sideBySide, walked } from '../../static/js/elements/node-layout.js';

const PITCH = 11;

test('groups side by side fit the width and hold all their nodes in equally many rows', () => {
  for (const [counts, width] of [[[884, 459, 221, 136], 940], [[1668, 1667, 1665], 1240], [[3000, 2, 1], 700]]) {
    const columns = sideBySide(counts, width, PITCH);
    const used = columns.reduce((sum, one) => sum + one * PITCH + 18, 0);
    assert.ok(used <= width, `${used} of ${width}`);
    const rows = Math.max(...counts.map((count, at) => Math.ceil(count / columns[at])));
    assert.ok(counts.every((count, at) => columns[at] * rows >= count));
  }
});

test('groups that do not fit side by side lie below each other, none wider than the page', () => {
  assert.equal(sideBySide([900, 400, 200, 100], 360, PITCH), null);
  for (const columns of across([900, 400, 200, 100], 360, PITCH)) assert.ok(columns * PITCH + 2 <= 360);
  for (const columns of below(Array(20).fill(40), 1200, PITCH)) assert.ok(columns < 20);
});

test('few nodes are large squares', () => {
  assert.deepEqual([3, 60, 300, 5000].map(pitchFor), [44, 26, 18, 11]);
});

test('arrows walk within and between groups and stop at the ends', () => {
  const blocks = [{ first: 0, count: 7, columns: 3 }, { first: 7, count: 4, columns: 2 }];
  const walk = (keys, at = 0) => keys.reduce((place, key) => walked(key, place, blocks) ?? place, at);
  assert.equal(walk(['ArrowRight', 'ArrowDown']), 4);
  assert.equal(walk(['ArrowDown', 'ArrowDown', 'ArrowDown']), 9);
  assert.equal(walk(['ArrowLeft', 'ArrowUp']), 0);
  assert.equal(walk(['End', 'ArrowDown']), 10);
  assert.equal(walk(['PageDown']), 7);
  assert.equal(walk(['PageUp'], 9), 0);
  assert.equal(walked('x', 0, blocks), null);
});
