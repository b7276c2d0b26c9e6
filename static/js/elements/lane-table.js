// One lane in full: a row a pod with everything that decides its order and its waiting, and more below each row.
import { announce, h, icon, keyed, setProps, setText } from '../dom.js';
import { count } from '../format.js';
import { restOf } from './queue-lane.js';
import { COLUMNS } from './lane-columns.js';
import { details } from './lane-details.js';

class LaneTable extends HTMLElement {
  start(store, { base }) {
    this.store = store;
    this.base = base;
    this.lane = this.dataset.lane;
    this.open = new Set();
    this.body = h('tbody');
    this.rest = h('div', { class: 'queue-lane-rest' });
    this.figure = document.querySelector(`[data-lane-count="${this.lane}"]`);
    const columns = COLUMNS[this.lane];
    const heads = columns.map(({ title, looks, about }) =>
      h('th', { scope: 'col', title: about, 'data-column': title, class: looks?.startsWith('n ') || looks === 'n' ? 'n' : null }, title),
    );
    this.table = h(
      'table',
      { class: 'data-table lane-table' },
      h('caption', { class: 'vh' }, this.getAttribute('aria-label')),
      h('thead', {}, h('tr', {}, h('th', {}, h('span', { class: 'vh' }, 'more')), ...heads)),
      this.body,
    );
    const name = `Table: ${this.getAttribute('aria-label')}`;
    this.wrap = h('div', { class: 'data-table-wrap', tabindex: '0', role: 'region', 'aria-label': name }, this.table);
    this.replaceChildren(this.wrap, this.rest);
  }

  update(state) {
    const lane = state.lanes.find(({ name }) => name === this.lane);
    const key = [lane, state.extra[this.lane], state.ui.filter, state.cluster.now_us, this.open.size];
    if (this.drawn?.every((value, at) => value === key[at])) return;
    this.drawn = key;
    const all = [...lane.cards, ...(state.extra[this.lane] ?? [])];
    const cards = state.ui.filter ? all.filter((card) => card.key.includes(state.ui.filter)) : all;
    if (this.figure) setText(this.figure, count(lane.count));
    setProps(this.wrap, { hidden: !cards.length });
    setProps(this.table, { 'data-nominated': cards.some((card) => card.nominated_node) });
    const { now_us: nowUs, start_us: startUs, seq } = state.cluster;
    const context = { base: this.base, nowUs, startUs, rules: state.rules, at: state.past ? seq : 0 };
    const lines = cards.flatMap((card) => (this.open.has(card.key) ? [{ card }, { card, more: true }] : [{ card }]));
    keyed(
      this.body,
      lines,
      ({ card, more }) => `${card.key}${more ? ' more' : ''}`,
      ({ card, more }) => (more ? this.moreRow(card) : this.row(card)),
      (node, { card, more }) => (more ? this.patchMore(node, card, context) : this.patch(node, card, context)),
    );
    const hidden = lane.count - all.length;
    const rest = `${lane.count} ${hidden} ${all.length - cards.length}`;
    if (rest !== this.told) {
      this.told = rest;
      this.rest.replaceChildren(...restOf(lane, hidden, all.length - cards.length, () => this.more(all.length)));
    }
  }

  row({ key }) {
    const toggle = h(
      'button',
      { class: 'button button-quiet button-icon', type: 'button', onclick: () => this.turn(key) },
      icon('right', 'icon-s'),
    );
    const cells = COLUMNS[this.lane].map(({ looks = null, title }) => h('td', { class: looks, 'data-column': title }));
    const node = h('tr', {}, h('td', {}, toggle), ...cells);
    node.parts = { toggle, cells };
    return node;
  }

  patch(node, card, context) {
    const open = this.open.has(card.key);
    const label = `${open ? 'Less' : 'More'} about ${card.key}`;
    setProps(node.parts.toggle, { 'aria-expanded': String(open), 'aria-label': label });
    setProps(node, { 'data-next': this.lane === 'active' && card.rank === 1 });
    COLUMNS[this.lane].forEach(({ cell }, at) => {
      const td = node.parts.cells[at];
      const made = cell(card, context, td);
      if (typeof made === 'string') setText(td, made);
      else if (made) td.replaceChildren(...made);
    });
  }

  moreRow() {
    return h('tr', { class: 'lane-more' }, h('td', { colspan: COLUMNS[this.lane].length + 1 }));
  }

  patchMore(node, card, context) {
    if (node.card === card) return;
    node.card = card;
    node.firstChild.replaceChildren(details(card, this.lane, context));
  }

  turn(key) {
    if (!this.open.delete(key)) this.open.add(key);
    this.drawn = null;
    this.update(this.store.state);
  }

  async more(offset) {
    const { cluster, past } = this.store.state;
    const at = past ? `&at=${cluster.seq}` : '';
    const answer = await fetch(`${this.base}lanes/${this.lane}.json?offset=${offset}${at}`).catch(() => null);
    if (!answer?.ok) return announce('The rest of the lane could not be read');
    const { cards } = await answer.json();
    return this.store.dispatch({ type: 'more', lane: this.lane, cards });
  }
}

customElements.define('lane-table', LaneTable);
