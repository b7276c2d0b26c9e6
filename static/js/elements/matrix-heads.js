// The heads of the score matrix: algorithm, weight, and how far its reduce is.
import { h, icon } from '../dom.js';
import { failureOf } from '../failures.js';
import { plural } from '../format.js';
import { column, flat } from '../scores.js';

const WHOLE_LIST = 'whole list'; // scores all nodes at once
const MORE = { skip: ': not run for this pod', flat: ': the same on every node, so it tells none apart' };

export function heads(cycle, ui, store) {
  if (ui.layer === 'total') return h('div', { class: 'matrix-key' }, ...key(cycle));
  return h(
    'div',
    { class: 'matrix-cols' },
    ...cycle.algorithms.map((algorithm, at) => head(cycle, algorithm, at, ui, store)),
  );
}

function head(cycle, algorithm, at, ui, store) {
  const [sign, word, state] = stateOf(cycle, algorithm, at, ui.layer);
  const skip = state === 'skip';
  return h(
    'button',
    {
      type: 'button',
      class: 'matrix-head',
      'data-state': state,
      'aria-pressed': String(ui.sort === at),
      disabled: skip,
      title: `${algorithm.name}, ${algorithm.whole_list ? `${WHOLE_LIST}, ` : ''}weight ${algorithm.weight}${MORE[state] ?? ': sort by it'}`,
      onclick: () => store.dispatch({ type: 'ui', ui: { sort: ui.sort === at ? 'total' : at } }),
    },
    h('span', { class: 'matrix-head-name' }, algorithm.short),
    h('b', {}, `×${algorithm.weight}`),
    algorithm.whole_list && h('span', { class: 'matrix-head-kind' }, WHOLE_LIST),
    h('span', { class: 'state' }, sign && icon(sign), word),
  );
}

function stateOf(cycle, algorithm, at, layer) {
  const shown = column(cycle, at, layer);
  if (shown.kind === 'skip') return ['', algorithm.state === 'not_scored' ? 'not run' : 'skip', 'skip'];
  if (cycle.rows.names.some((_, row) => failureOf(cycle, at, layer, row))) return ['cross', 'failed', 'fail'];
  if (layer === 'raw' && algorithm.lower_is_better && algorithm.state !== 'mapping') return ['down', 'fewer', ''];
  if (algorithm.state === 'mapping') return ['run', 'map', 'run'];
  if (algorithm.state === 'reducing') return ['run', algorithm.worker || 'reduce', 'run'];
  if (algorithm.state === 'raw') return ['wait', 'next', 'wait'];
  if (algorithm.state === 'waiting') return ['wait', '', 'wait'];
  if (shown.kind === 'value' && cycle.rows.names.length > 1 && flat(shown.values)) return ['', 'all equal', 'flat'];
  return algorithm.state === 'set' ? ['tick', 'set', 'ok'] : ['', 'as is', ''];
}

export function totalHead({ settled, of, final, failed }) {
  if (failed) return h('div', { class: 'head-total' }, 'total', h('b', { class: 'no' }, 'none'));
  if (!of) return h('div', { class: 'head-total' }, 'total', h('b', {}, 'not scored'));
  return h(
    'div',
    { class: 'head-total' },
    final ? 'total' : 'sum so far',
    h('b', {}, final ? plural(of, 'part') : `${settled} of ${of}`),
    final ? '' : h('span', { class: 'state' }, 'settled'),
  );
}

function key(cycle) {
  let part = 0;
  return cycle.algorithms.flatMap((algorithm, at) => {
    if (column(cycle, at, 'weighted').kind === 'skip') return [];
    part += 1;
    return [
      h('span', {}, h('i', { class: `swatch pt${((part - 1) % 7) + 1}` }), `${algorithm.short} ×${algorithm.weight}`),
    ];
  });
}
