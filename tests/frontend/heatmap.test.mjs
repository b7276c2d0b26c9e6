import { test } from 'node:test';
import assert from 'node:assert/strict';
import { heatmap } from '../../static/js/charts/heatmap.js';
import { cycle, openCycle } from './fixture.mjs';

const look = {
  token: (name) => name,
  heat: [
    [0, 'dark'],
    [1, 'bright'],
  ],
  mono: 'mono',
};
const draw = (held, change = {}) =>
  heatmap(
    held,
    {
      layer: 'normalized',
      order: held.rows.names.map((_, row) => row),
      rowHeight: 22,
      width: 400,
      open: null,
      ...change,
    },
    look,
  );
const kinds = (figure) => figure.data.map((trace) => trace.type);

test('cells carry the values of the layer in the order of the rows', () => {
  const held = cycle();
  const order = held.rows.names.map((_, row) => row).reverse();
  const at = held.algorithms.findIndex(
    (one, index) => held.rows.normalized[index] && new Set(held.rows.normalized[index]).size > 1,
  );
  const { data, layout } = draw(held, { order });
  assert.deepEqual(
    data[0].z.map((line) => line[at]),
    order.map((row) => held.rows.normalized[at][row]),
  );
  assert.equal(layout.height, order.length * 22);
});

test('a skipped algorithm is hatched and has no cell', () => {
  const held = openCycle();
  held.rows.raw = [[1, 2, 3], null, [4, 5, 6]];
  const { data } = draw(held, { layer: 'raw' });
  const hatch = data.find((trace) => trace.type === 'bar');
  assert.deepEqual(hatch.x, [1]);
  assert.equal(
    data[0].z.every((line) => line[1] === null),
    true,
  );
});

test('raw that is not reduced is outlined, what has not returned waits', () => {
  const held = openCycle();
  held.rows.raw = [[1, 2, null], null, null];
  const colours = draw(held)
    .data.filter((trace) => trace.type === 'heatmap')
    .map((trace) => trace.colorscale[0][1]);
  assert.deepEqual(colours, ['--line-2', '--sunken', '--bar-2']);
});

test('a column that is equal on all nodes is drawn quietly', () => {
  const held = openCycle();
  held.rows.normalized = [[7, 7, 7], null, [1, 2, 3]];
  const quiet = draw(held).data.find((trace) => trace.opacity < 1);
  assert.deepEqual(
    quiet.z.map((line) => line[0]),
    [7, 7, 7],
  );
  assert.equal(
    quiet.z.every((line) => line[2] === null),
    true,
  );
});

test('figures stand in the cells, white on dark and black on bright, up to 64 rows', () => {
  const held = openCycle();
  held.rows.normalized = [[0, 42, 43], null, null];
  const texts = draw(held).data.filter((trace) => trace.type === 'scatter');
  assert.deepEqual(
    texts.map((trace) => [trace.textfont.color, trace.text]),
    [
      ['--heat-text-low', ['0', '42']],
      ['--heat-text-high', ['43']],
    ],
  );
  const many = openCycle();
  many.rows = {
    ...many.rows,
    names: Array.from({ length: 65 }, (_, at) => `n${at}`),
    bins: Array(65).fill(1),
    normalized: [Array.from({ length: 65 }, (_, at) => at), null, null],
  };
  assert.equal(kinds(draw(many, { rowHeight: 16 })).includes('scatter'), false);
});

test('rings mark the best cell of a column and the open cell', () => {
  const held = openCycle();
  held.rows.normalized = [[10, 90, 20], null, null];
  const { layout } = draw(held, { open: { row: 2, at: 0 } });
  assert.deepEqual(
    layout.shapes.map((shape) => [Math.round(shape.x0), (shape.y0 + shape.y1) / 2, shape.line.color]),
    [
      [-0, 1, '--ink'],
      [-0, 2, '--accent'],
    ],
  );
});

test('the layer of totals is made of its weighted parts', () => {
  const held = cycle();
  const { data, layout } = draw(held, { layer: 'total' });
  const sums = held.rows.names.map((_, row) => data.reduce((sum, trace) => sum + trace.x[row], 0));
  assert.deepEqual(sums, held.rows.totals);
  assert.equal(layout.barmode, 'stack');
});

test('hover says raw, normalised and weighted; a binned row says how many it stands for', () => {
  const held = openCycle();
  held.rows = {
    ...held.rows,
    raw: [[3, 4, 5], null, null],
    normalized: [[30, 40, 50], null, null],
    bins: [1, 1, 12],
    names: ['a', 'b', '51–62'],
  };
  const { customdata } = draw(held).data[0];
  assert.deepEqual(customdata[0][0], ['a', 'Fit', 'raw 3, normalised 30, weighted 30']);
  assert.equal(customdata[2][0][0], 'ranks 51–62 (mean of 12)');
});
