// The same scores as a real table: every figure as text, sortable heads, a way to open each cell.
import { h } from '../dom.js';
import { failureOf } from '../failures.js';
import { column } from '../scores.js';
import { absence } from '../total.js';

const ROWS = 500;
export const TOTAL = -1; // the place of the total among the cells of a row
const OPEN = 100; // rows whose cells are buttons; beyond, a search opens them

export function twin(cycle, rows, ui, sums, { store, base, explain }) {
  const layer = ui.layer === 'total' ? 'weighted' : ui.layer;
  const columns = cycle.algorithms.map((_, at) => column(cycle, at, layer));
  const body = rows.slice(0, ROWS).map((row, at) => line(cycle, row, columns, sums, base, at < OPEN ? explain : null, layer));
  return h(
    'table',
    { class: 'data-table matrix-twin' },
    h('caption', { class: 'vh' }, `Scores, ${layer}`),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        sorter('node', 'name', ui, store, 'stick'),
        sorter(sums.final || sums.failed || (cycle.outcome !== 'open' && !cycle.whole) ? 'total' : 'so far', 'total', ui, store, 'n'),
        ...cycle.algorithms.map((one, at) => sorter(`${one.short} ×${one.weight}`, at, ui, store, 'n', one.name)),
      ),
    ),
    h('tbody', {}, body),
  );
}

function sorter(text, sort, ui, store, looks, title = null) {
  const on = ui.sort === sort;
  return h(
    'th',
    { class: looks, scope: 'col', title, 'aria-sort': on ? (sort === 'name' ? 'ascending' : 'descending') : null },
    h(
      'button',
      { type: 'button', onclick: () => store.dispatch({ type: 'ui', ui: { sort } }) },
      text,
      on ? (sort === 'name' ? ' ↑' : ' ↓') : '',
    ),
  );
}

function line(cycle, row, columns, sums, base, explain, layer) {
  const name = cycle.rows.names[row];
  const binned = cycle.rows.bins[row] > 1;
  const total = sums.totals?.[row];
  return h(
    'tr',
    { 'data-state': name === cycle.winner ? 'win' : null, 'data-node': name },
    h(
      'th',
      { class: 'name stick', scope: 'row' },
      binned ? `ranks ${name}` : h('a', { href: `${base}nodes/${name}/`, title: name.length > 20 ? name : null }, name),
    ),
    h('td', { class: 'n strong' }, total === undefined ? '' : opener(cycle, row, TOTAL, binned ? null : explain, String(total))),
    columns.map((one, at) => cell(cycle, one, row, at, binned ? null : explain, layer)),
  );
}

function cell(cycle, one, row, at, explain, layer) {
  if (one.kind === 'skip') {
    const none = cycle.algorithms[at].state === 'not_scored';
    return h('td', { class: 'n skip', title: absence(cycle.algorithms[at]) }, none ? 'not scored' : 'skip');
  }
  const failure = failureOf(cycle, at, layer, row);
  if (failure) return h('td', { class: 'n no', title: failure }, opener(cycle, row, at, explain, 'failed'));
  const value = one.values?.[row];
  if (value === null || value === undefined) return h('td', { class: 'n skip', title: 'not back yet' }, '…');
  const text = one.kind === 'raw' ? `raw ${value}` : String(value);
  return h('td', { class: `n${one.kind === 'raw' ? ' skip' : ''}` }, opener(cycle, row, at, explain, text));
}

function opener(cycle, row, at, explain, text) {
  if (!explain) return text;
  const what = at === TOTAL ? 'the total of' : `${cycle.algorithms[at].name} on`;
  const title = `Explain ${what} ${cycle.rows.names[row]}`;
  return h('button', { class: 'cell-open', type: 'button', 'data-at': at, title, onclick: () => explain(row, at) }, text);
}
