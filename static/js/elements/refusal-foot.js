// Under the matrix: how many nodes the filters refused and why, and what the looks of cells mean.
import { h, icon } from '../dom.js';
import { count, plural } from '../format.js';
import { best, column, flat } from '../scores.js';
import { refusedBy } from './filter-funnel.js';

const SHOWN = 5;

class RefusalFoot extends HTMLElement {
  start(store, { base }) {
    this.base = base;
  }

  update(state) {
    const cycle = state.shown ?? state.cycle;
    const key = cycle ? [cycle, state.ui.layer, state.ui.view] : [];
    if (this.drawn && this.drawn.length === key.length && this.drawn.every((value, at) => value === key[at])) return;
    this.drawn = key;
    this.replaceChildren(
      cycle
        ? h(
            'div',
            { class: 'cyc-foot' },
            refused(cycle, this.base),
            state.ui.view === 'heatmap' && !cycle.scoring_skipped && cycle.rows.names.length
              ? legend(cycle, state.ui.layer)
              : '',
          )
        : '',
    );
  }
}

function refused(cycle, base) {
  const lost = cycle.funnel.reduce((sum, step) => sum + step.lost, 0);
  if (!cycle.refusals.length)
    return h('div', { class: 'row soft' }, unrefused(cycle));
  return h(
    'div',
    { class: 'row row-wrap' },
    h('span', { class: 'soft' }, `${count(lost)} refused`),
    cycle.refusals.slice(0, SHOWN).map((one) =>
      h(
        'a',
        {
          class: 'chip chip-refuse',
          href: refusedBy(base, cycle, one.reason),
          title: `${one.plugin}: ${one.nodes.join(', ')}${one.count > one.nodes.length ? ' …' : ''}`,
        },
        icon('cross'),
        h('span', {}, `${count(one.count)} ${short(one.reason)}`),
      ),
    ),
    cycle.refusals.length > SHOWN
      ? h('span', { class: 'dim' }, `and ${plural(cycle.refusals.length - SHOWN, 'more reason')}`)
      : '',
    h('a', { class: 'push', href: `${base}cycles/${cycle.number}/#h-refused` }, 'Show'),
  );
}

function unrefused(cycle) {
  if (cycle.lost) return 'Who refused which node cannot be computed any more';
  if (cycle.evaluated) return 'No node was refused';
  return cycle.outcome === 'open' ? 'No node has been filtered yet' : 'No node was filtered';
}

// `node(s) had untolerated taint {dedicated: ml}` → `untolerated taint {dedicated: ml}`; the title has it whole.
const short = (reason) =>
  reason
    .replace(/^node\(s\) (had |were |didn't )?/, (_, word) => (word === "didn't " ? 'no ' : ''))
    .replace(/^no match /, 'no match: ');

function legend(cycle, layer) {
  if (layer === 'total')
    return h('div', { class: 'legend' }, h('span', {}, 'Each bar is a total made of its weighted parts.'));
  const most = Math.max(1, ...cycle.algorithms.map((one) => (one.state === 'skip' ? 0 : one.weight)));
  const ends = {
    raw: ['least', 'most of its column'],
    normalized: ['0', '100'],
    weighted: ['0', plural(most * 100, 'point')],
  }[layer];
  const stops = Array.from({ length: 21 }, (_, at) => h('i', { class: `h${String(at).padStart(2, '0')}` }));
  const sample = (looks, text, ring = null) => h('span', {}, h('i', { class: looks, 'data-ring': ring }), text);
  return h(
    'div',
    { class: 'legend' },
    h('span', {}, ends[0], h('span', { class: 'legend-scale', 'aria-hidden': 'true' }, stops), ends[1]),
    ...extras(cycle, layer, sample),
  );
}

// Looks that this cycle does not have need no words.
function extras(cycle, layer, sample) {
  const kinds = cycle.algorithms.map((_, at) => column(cycle, at, layer));
  const even = cycle.rows.names.length > 1 && kinds.some((one) => one.kind === 'value' && flat(one.values));
  const fewer = (at) => layer === 'raw' && cycle.algorithms[at].lower_is_better;
  return [
    kinds.some((one, at) => one.kind === 'value' && best(one.values, fewer(at)).length) && sample('cell h20', 'best of its column', ''),
    kinds.some((one) => one.kind === 'skip') && sample('cell cell-skip', 'skip, not run for this pod'),
    cycle.score_failures && sample('cell cell-fail', 'failed'),
    kinds.some((one) => one.kind === 'raw') && sample('cell cell-raw', 'raw, not reduced yet'),
    kinds.some((one) => one.kind === 'wait') && sample('cell cell-wait', 'not returned yet'),
    even && sample('cell cell-quiet h20', 'same on every node'),
  ].filter(Boolean);
}

customElements.define('refusal-foot', RefusalFoot);
