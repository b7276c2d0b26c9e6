// Why nodes were refused: reason by reason, each opening to its nodes.
import { h, icon } from '../dom.js';
import { count, plural } from '../format.js';

class RefusalTable extends HTMLElement {
  start(store, { base }) {
    this.base = base;
  }

  update({ cycle }) {
    if (cycle === this.drawn) return;
    this.drawn = cycle;
    if (!cycle.refusals.length) {
      this.replaceChildren(h('div', { class: 'empty' }, h('h3', {}, 'No node was refused'), h('p', {}, `${plural(cycle.feasible, 'node')} passed every filter.`)));
      return;
    }
    const head = h('thead', {}, h('tr', {}, h('th', { class: 'n', scope: 'col' }, 'nodes'), h('th', { scope: 'col' }, 'reason'), h('th', { class: 'hide-s', scope: 'col' }, 'plugin'), h('th', {}, h('span', { class: 'vh' }, 'open'))));
    this.replaceChildren(h('div', { class: 'data-table-wrap' }, h('table', { class: 'data-table' }, head, h('tbody', {}, cycle.refusals.map((one) => this.line(cycle, one))))));
  }

  line(cycle, one) {
    const more = one.count - one.nodes.length;
    const names = h('div', { class: 'dim mono refusal-nodes' }, one.nodes.flatMap((name, at) => [at ? ', ' : '', h('a', { href: `${this.base}nodes/${name}/` }, name)]), more > 0 ? ` and ${count(more)} more` : '');
    const open = more > 0 ? h('button', { class: 'button button-quiet button-icon', type: 'button', 'aria-label': `Show all ${one.count} nodes`, 'aria-expanded': 'false', onclick: () => this.open(cycle, one, names, open) }, icon('right')) : '';
    return h('tr', {}, h('td', { class: 'n strong' }, count(one.count)), h('td', {}, one.reason, names), h('td', { class: 'nowrap dim hide-s' }, one.plugin), h('td', {}, open));
  }

  async open(cycle, one, names, button) {
    const query = new URLSearchParams({ plugin: one.plugin, reason: one.reason });
    const answer = await fetch(`${this.base}cycles/${cycle.number}/refused.json?${query}`).catch(() => null);
    if (!answer?.ok) { names.append(' (the rest could not be read)'); button.disabled = true; return; }
    const { nodes } = await answer.json();
    names.replaceChildren(...nodes.flatMap((name, at) => [at ? ', ' : '', h('a', { href: `${this.base}nodes/${name}/` }, name)]));
    button.setAttribute('aria-expanded', 'true');
    button.disabled = true;
  }
}

customElements.define('refusal-table', RefusalTable);
