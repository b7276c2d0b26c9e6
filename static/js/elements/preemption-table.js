// Preemption: which nodes could be had, who would have to leave them, and the rule that chose.
import { h } from '../dom.js';
import { count, plural } from '../format.js';
import { candidateHead, candidateRows } from './preemption-rows.js';

class PreemptionTable extends HTMLElement {
  start(store, { base }) {
    this.base = base;
  }

  update({ cycle }) {
    if (cycle === this.drawn) return;
    this.drawn = cycle;
    const tried = cycle?.preemption;
    this.closest('section').hidden = !tried;
    if (!tried) return;
    const rows = candidateRows(tried, this.base, cycle.popped_us);
    this.replaceChildren(
      h('p', { class: 'preemption-says' }, this.says(tried)),
      rows.length ? wrapped('Candidates', candidateHead(tried.deciding), rows, ' candidates') : '',
      tried.rejected.length ? this.rejected(tried) : '',
    );
  }

  says(tried) {
    if (tried.ineligible) return ['This pod may not preempt: ', h('b', {}, tried.ineligible)];
    if (!tried.potential) return 'Every node was refused for a reason that no eviction changes.';
    if (!tried.nominated) {
      return `Evictions were tried out on ${plural(tried.potential, 'node')} and would help on none.`;
    }
    const [best] = tried.candidates;
    const others = tried.candidate_count - 1;
    return [
      `${plural(best.victim_count, 'pod')} of lower priority must leave `,
      h('a', { class: 'mono', href: `${this.base}nodes/${tried.nominated}/` }, tried.nominated),
      others ? `, chosen over ${plural(others, 'other node')}: ` : ': ',
      h('b', {}, tried.decided_by),
      tried.tied > 1 ? ` (${plural(tried.tied, 'node')} tied)` : '',
      '.',
      tried.not_tried ? ` ${plural(tried.not_tried, 'more node was', 'more nodes were')} not tried: these were enough.` : '',
    ];
  }

  rejected(tried) {
    const named = tried.rejected.some((one) => one.plugin); // no plugin says that there is nobody to evict
    const head = h(
      'tr',
      {},
      h('th', { class: 'n narrow', scope: 'col' }, 'nodes'),
      h('th', { scope: 'col' }, 'not helpful, even without every pod of lower priority'),
      named ? h('th', { class: 'hide-s', scope: 'col' }, 'plugin') : '',
    );
    const rows = tried.rejected.map((one) => {
      const more = one.count - one.nodes.length;
      const names = one.nodes.flatMap((name, at) => [
        at ? ', ' : '',
        h('a', { href: `${this.base}nodes/${name}/` }, name),
      ]);
      return h(
        'tr',
        {},
        h('td', { class: 'n strong' }, count(one.count)),
        h(
          'td',
          {},
          one.reason,
          h('div', { class: 'dim mono refusal-nodes' }, names, more > 0 ? [' ', h('span', { class: 'nowrap' }, `and ${count(more)} more`)] : ''),
        ),
        named ? h('td', { class: 'nowrap dim hide-s' }, one.plugin) : '',
      );
    });
    return wrapped('Nodes where preemption does not help', head, rows);
  }
}

const wrapped = (label, head, rows, looks = '') =>
  h(
    'div',
    { class: 'data-table-wrap', tabindex: '0', role: 'region', 'aria-label': `Table: ${label}` },
    h('table', { class: `data-table${looks}`, 'aria-label': label }, h('thead', {}, head), h('tbody', {}, rows)),
  );

customElements.define('preemption-table', PreemptionTable);
