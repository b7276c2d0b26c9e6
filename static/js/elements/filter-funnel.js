// Nodes left after each filter, in plugin order; filters skipped for this pod are told in one line.
import { h, s } from '../dom.js';
import { count, plural } from '../format.js';
import { gone } from './cycle-lost.js';

class FilterFunnel extends HTMLElement {
  start(store, { base }) {
    this.base = base;
    this.classList.add('filter-funnel-host');
  }

  // On the board it stands in for the matrix where no node passed.
  update(state) {
    const cycle = state.shown ?? state.cycle;
    if (cycle === this.drawn) return;
    this.drawn = cycle;
    if (this.dataset.when === 'refused') this.hidden = !(cycle?.evaluated || cycle?.lost) || cycle.rows.names.length > 0;
    if (!cycle || this.hidden) return;
    if (cycle.lost) {
      this.replaceChildren(gone(cycle.lost));
      return;
    }
    if (cycle.outcome === 'error' && !cycle.evaluated) {
      this.replaceChildren(h('p', { class: 'soft' }, 'The attempt ended with an error before the filters had looked at a node.'));
      return;
    }
    const run = cycle.funnel.filter((step) => !step.skipped);
    const skipped = cycle.funnel.filter((step) => step.skipped).map((step) => step.plugin);
    const whole = Math.max(1, cycle.evaluated);
    const head =
      cycle.evaluated < cycle.node_count
        ? `${count(cycle.evaluated)} of ${plural(cycle.node_count, 'node was', 'nodes were')} looked at.`
        : '';
    this.replaceChildren(
      head ? h('p', { class: 'soft' }, head) : '',
      h(
        'div',
        { class: 'filter-funnel' },
        run.map((step) => line(step, whole, refusedBy(this.base, cycle, step.plugin))),
        end(cycle.feasible, whole, `${this.base}cycles/${cycle.number}/#scores`),
      ),
      skipped.length ? h('p', { class: 'dim funnel-skipped' }, `Skipped for this pod: ${skipped.join(', ')}.`) : '',
    );
  }
}

// The page of the cycle, its refused nodes narrowed to a filter or a reason.
export const refusedBy = (base, cycle, word) =>
  `${base}cycles/${cycle.number}/?${new URLSearchParams({ refused: word })}#refused-nodes`;

function line(step, whole, href) {
  return h(
    'div',
    {
      class: 'funnel-step',
      'data-state': step.lost ? null : 'pass',
      title: `${step.plugin}: ${step.lost} refused, ${step.left} left`,
    },
    h('span', { class: 'clip' }, step.plugin),
    bar(
      whole,
      s('rect', { class: 'left', width: step.left, height: 10 }),
      step.lost ? s('rect', { class: 'lost', x: step.left, width: step.lost, height: 10 }) : null,
    ),
    h('span', { class: 'no' }, step.lost ? h('a', { href, title: `The nodes that ${step.plugin} refuses`, 'aria-label': `${count(step.lost)} refused by ${step.plugin}` }, `−${count(step.lost)}`) : ''),
    h('span', {}, count(step.left)),
  );
}

const end = (feasible, whole, href) =>
  h(
    'div',
    { class: 'funnel-step', 'data-state': 'end' },
    h('span', {}, 'feasible'),
    bar(whole, s('rect', { class: 'left', width: feasible, height: 10 })),
    h('span'),
    h('span', {}, feasible ? h('a', { href, 'aria-label': `${count(feasible)} feasible: their scores` }, count(feasible)) : '0'),
  );

const bar = (whole, ...parts) =>
  s('svg', { viewBox: `0 0 ${whole} 10`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, parts);

customElements.define('filter-funnel', FilterFunnel);
