// Why nodes were refused: reason by reason, each opening to its nodes.
import { h, icon } from '../dom.js';
import { count, plural } from '../format.js';
import { gone } from './cycle-lost.js';

class RefusalTable extends HTMLElement {
  start(store, { base }) {
    this.base = base;
  }

  update({ cycle }) {
    if (cycle === this.drawn) return;
    this.drawn = cycle;
    if (cycle.lost) {
      this.replaceChildren(gone(cycle.lost));
      return;
    }
    if (!cycle.refusals.length) {
      this.replaceChildren(
        h(
          'div',
          { class: 'empty' },
          h('h3', {}, 'No node was refused'),
          h('p', {}, `${plural(cycle.feasible, 'node')} passed every filter.`),
        ),
      );
      return;
    }
    const head = h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { class: 'n', scope: 'col' }, 'nodes'),
        h('th', { scope: 'col' }, 'reason'),
        h('th', { class: 'hide-s', scope: 'col' }, 'plugin'),
        h('th', {}, h('span', { class: 'vh' }, 'open')),
      ),
    );
    this.replaceChildren(
      h(
        'div',
        { class: 'data-table-wrap', tabindex: '0', role: 'region', 'aria-label': 'Refusals by reason' },
        h(
          'table',
          { class: 'data-table' },
          head,
          h(
            'tbody',
            {},
            cycle.refusals.map((one) => this.line(cycle, one)),
          ),
        ),
      ),
    );
  }

  line(cycle, one) {
    const more = one.count - one.nodes.length;
    const names = h(
      'div',
      { class: 'dim mono refusal-nodes' },
      one.nodes.flatMap((name, at) => [at ? ', ' : '', h('a', { href: `${this.base}nodes/${name}/` }, name)]),
      more > 0 ? [' ', h('span', { class: 'nowrap' }, `and ${count(more)} more`)] : '',
    );
    const open =
      more > 0
        ? h(
            'button',
            {
              class: 'button button-quiet button-icon',
              type: 'button',
              'aria-label': `Show all ${plural(one.count, 'node')}`,
              'aria-expanded': 'false',
              onclick: () => this.open(cycle, one, names, open),
            },
            icon('right'),
          )
        : '';
    return h(
      'tr',
      {},
      h('td', { class: 'n strong' }, count(one.count)),
      h('td', {}, one.reason, names),
      h('td', { class: 'nowrap dim hide-s' }, one.plugin),
      h('td', {}, open),
    );
  }

  async open(cycle, one, names, button) {
    this.every ??= fetch(`${this.base}cycles/${cycle.number}/nodes.json`)
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    const every = await this.every;
    button.disabled = true;
    if (!every) {
      names.append(' (the rest could not be read)');
      return;
    }
    const nodes = every.nodes.filter((node) => refusedBy(node, one)).map((node) => node.node);
    names.replaceChildren(
      ...nodes.flatMap((name, at) => [at ? ', ' : '', h('a', { href: `${this.base}nodes/${name}/` }, name)]),
    );
    button.setAttribute('aria-expanded', 'true');
  }
}

// The search stops at a node's first refusal: that is the one that counts.
function refusedBy({ verdict, failures }, { plugin, reason }) {
  return verdict === 'refused' && failures[0].plugin === plugin && failures[0].reasons.includes(reason);
}

customElements.define('refusal-table', RefusalTable);
