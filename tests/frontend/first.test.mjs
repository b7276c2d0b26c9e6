// The first picture of the matrix: every cell, its figure and its ring, where Plotly will draw them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colour, paint } from '../../static/js/charts/first.js';

const scale = [
  [0, 'white'],
  [0.5, 'grey'],
  [1, 'black'],
];

function host() {
  const drawn = [];
  const pen = {
    ...Object.fromEntries(['scale', 'save', 'restore', 'beginPath', 'moveTo', 'lineTo', 'stroke'].map((name) => [name, () => {}])),
    createPattern: () => 'hatch',
    fillRect: (...box) => drawn.push(['cell', pen.fillStyle, ...box]),
    fillText: (...words) => drawn.push(['text', pen.fillStyle, ...words]),
    strokeRect: (...box) => drawn.push(['ring', pen.strokeStyle, ...box.map(Math.round)]),
  };
  const children = [];
  globalThis.document = { createElement: () => ({ style: {}, getContext: () => pen }) };
  return { drawn, children, append: (child) => children.push(child), querySelector: () => children[0] ?? null };
}

const layout = {
  width: 200,
  height: 40,
  font: { size: 11, family: 'mono' },
  xaxis: { range: [-0.5, 1.5] },
  yaxis: { range: [1.5, -0.5] },
  shapes: [{ x0: -0.5, x1: 0.5, y0: -0.5, y1: 0.5, line: { color: 'blue', width: 2 } }],
};
const data = [
  { type: 'heatmap', z: [[0, null], [50, 100]], colorscale: scale, zmin: 0, zmax: 100, xgap: 2, ygap: 2, opacity: 1 },
  { type: 'scatter', mode: 'text', x: [1], y: [1], text: ['7'], textfont: { color: 'red' } },
  { type: 'bar', x: [0], y: [2] },
];

test('cells, figures and rings stand where the layout puts them', () => {
  const ours = host();
  paint(ours, { data, layout });
  assert.deepEqual(ours.drawn, [
    ['cell', 'white', 1, 1, 98, 18],
    ['cell', 'grey', 1, 21, 98, 18],
    ['cell', 'black', 101, 21, 98, 18],
    ['text', 'red', '7', 150, 30],
    ['ring', 'blue', 0, 0, 100, 20],
  ]);
});

test('the column of a skipped algorithm is hatched from the first row to the last', () => {
  const ours = host();
  const marker = { pattern: { size: 6, solidity: 0.16, fgcolor: 'grey' } };
  paint(ours, { data: [{ type: 'bar', x: [1], y: [2], base: -0.5, width: 1, marker }], layout: { ...layout, shapes: [] } });
  assert.deepEqual(ours.drawn, [['cell', 'hatch', 100, 0, 100, 40]]);
});

test('a second picture takes the place of the first', () => {
  const ours = host();
  paint(ours, { data, layout });
  paint(ours, { data, layout });
  assert.equal(ours.children.length, 1);
});

test('a colour is the nearest one of the scale', () => {
  assert.deepEqual(
    [-1, 0, 0.4, 0.9, 2].map((share) => colour(scale, share)),
    ['white', 'white', 'grey', 'black', 'black'],
  );
});
