import { test } from 'node:test';
import assert from 'node:assert/strict';
import { heatmap } from '../../static/js/charts/heatmap.js';
import { rowHeight } from '../../static/js/charts/heatmap-layout.js';
import { linesOf, totalsOf, valueOf } from '../../static/js/scores.js';
import { asOf } from '../../static/js/phase-view.js';
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

test('figures stand in the cells, white on dark and black on bright', () => {
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
});

test('rows of 16 px and more have figures, lower ones none', () => {
  for (const rows of [5, 64, 65, 90, 160, 161, 500]) {
    const held = openCycle();
    held.rows = {
      ...held.rows,
      names: Array.from({ length: rows }, (_, at) => `n${at}`),
      bins: Array(rows).fill(1),
      normalized: [Array.from({ length: rows }, (_, at) => at % 100), null, null],
    };
    const high = rowHeight(rows);
    assert.equal(kinds(draw(held, { rowHeight: high })).includes('scatter'), high >= 16, `${rows} rows of ${high} px`);
  }
  assert.equal(rowHeight(90), 16);
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

test('a cell is told in words; a binned row says how many it stands for', () => {
  const held = openCycle();
  held.rows = {
    ...held.rows,
    raw: [[3, 4, 5], null, [1, null, null]],
    normalized: [[30, 40, 50], null, null],
    bins: [1, 1, 12],
    names: ['a', 'b', '51–62'],
  };
  assert.deepEqual(linesOf(held, 0, 0), ['a', 'Fit ×1', 'raw 3, normalised 30, weighted 30']);
  assert.equal(linesOf(held, 2, 0)[0], 'ranks 51–62 (mean of 12)');
  assert.equal(linesOf(held, 1, 1)[2], 'skipped: not run for this pod');
  assert.equal(linesOf(held, 1, 2)[2], 'raw not back yet');
  assert.deepEqual(
    [valueOf(held, 0, 'total', 1), valueOf(held, 1, 'raw', 0), valueOf(held, 2, 'weighted', 0), valueOf(held, 2, 'raw', 1)],
    ['40', 'skipped', '1 raw', 'not back yet'],
  );
});

test('the figure itself says nothing over its cells', () => {
  for (const layer of ['raw', 'normalized', 'total'])
    for (const trace of draw(cycle(), { layer }).data) assert.ok(['none', 'skip'].includes(trace.hoverinfo));
});

// Fit failed on `b`, the reduce of Taint failed.
function failing() {
  const held = openCycle();
  held.algorithms[0].state = 'set';
  Object.assign(held.algorithms[2], { state: 'fail', error: 'no scale' });
  held.score_failures = '1 score failed (Fit), and the reduce of Taint';
  held.rows.raw = [[1, 0, 3], null, [4, 5, 6]];
  held.rows.normalized = held.rows.weighted = [[33, 0, 100], null, null];
  held.rows.failed = [[null, 'broke', null], null, null];
  return held;
}

const crossed = (figure) => {
  const mark = figure.data.find((trace) => trace.text?.includes('✕'));
  return mark ? mark.x.map((x, at) => [mark.y[at], x]) : [];
};

test('a cell that failed is marked in every layer and has no number', () => {
  assert.deepEqual(crossed(draw(failing(), { layer: 'raw' })), [[1, 0]]);
  const { data } = draw(failing());
  assert.deepEqual(
    crossed({ data }),
    [
      [0, 2],
      [1, 0],
      [1, 2],
      [2, 2],
    ],
  );
  assert.deepEqual(
    data[0].z.map((line) => line[0]),
    [33, null, 100],
  );
});

test('what failed says so, and nothing is summed up', () => {
  assert.equal(valueOf(failing(), 0, 'raw', 1), 'failed: broke');
  assert.equal(valueOf(failing(), 2, 'normalized', 0), 'failed: no scale');
  assert.deepEqual(linesOf(failing(), 1, 0), ['b', 'Fit', 'failed: broke']);
  assert.deepEqual(linesOf(failing(), 0, 2), ['a', 'Taint ×3', 'raw 4', 'reduce failed: no scale']);
  assert.equal(totalsOf(failing()).totals, null);
});

test('before Map nothing has failed, and before Reduce no reduce has', () => {
  const whole = { ...failing(), phases: ['Filter', 'Map', 'Reduce'].map((name) => ({ name, state: 'fail', ms: 1, note: '' })) };
  assert.deepEqual(asOf(whole, 0).rows.failed, [null, null, null]);
  assert.deepEqual(asOf(whole, 1).rows.failed[0], [null, 'broke', null]);
  assert.equal(asOf(whole, 1).algorithms[2].error, '');
  assert.equal(asOf(whole, 2).algorithms[2].error, 'no scale');
});
