// Every node with all that speaks against it and how far it is from fitting: filtered, sorted, a hundred rows at a time.
import { announce, h, icon } from '../dom.js';
import { count, plural, shortResource } from '../format.js';
import { then } from '../past.js';
import { alike, asked, setQuery } from '../query.js';
import { hasOthers, hasPlaces, isShort, measured, ordered, shortages, wanted } from '../why-rows.js';
import { filterSteps } from './filter-steps.js';
import { nodeRow } from './why-row.js';

const PAGE = 100;
const PAUSE_MS = 150;

class WhyNodes extends HTMLElement {
  connectedCallback() {
    this.base = document.documentElement.dataset.base;
    this.head = this.querySelector('.sheet-head');
    this.says = h('p', { class: 'dim why-says' });
    this.watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.load());
    this.watch.observe(this);
  }

  async load() {
    this.watch.disconnect();
    const address = then(alike(this.dataset.url, ['attempt', 'at']));
    const found = await fetch(address)
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (!found?.nodes) {
      this.querySelector('.sheet-body').replaceChildren('The nodes could not be read. Reload the page to try again.');
      return;
    }
    this.nodes = measured(found.nodes);
    this.build();
    this.draw();
  }

  build() {
    const query = asked();
    this.sort = query.get('sort') ?? 'near';
    this.box = h('input', { class: 'input', type: 'search', value: query.get('q') ?? '', placeholder: 'node, zone, reason', 'aria-label': 'Filter nodes', oninput: () => this.later() });
    this.reason = h('select', { class: 'select why-reason', 'aria-label': 'Only nodes with this reason', onchange: () => this.draw() }, this.options(query.get('reason')));
    const csv = h('a', { class: 'button button-quiet', href: then(alike(this.dataset.csv, ['attempt', 'at'])) }, 'CSV');
    this.head.append(h('span', { class: 'push' }), h('div', { class: 'filter why-filter' }, icon('search'), this.box), this.reason, csv);
    this.heads = this.columns().map((one) => this.headOf(one));
    this.body = h('tbody');
    this.next = h('button', { class: 'button', type: 'button', onclick: () => this.more() });
    const table = h('table', { class: 'data-table' }, h('thead', {}, h('tr', {}, this.heads)), this.body);
    this.querySelector('.sheet-body').replaceWith(
      h('div', { class: 'data-table-wrap why-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of every node' }, table),
      h('div', { class: 'why-foot' }, this.says, this.next),
    );
  }

  options(chosen) {
    const { reasons } = this.nodes;
    const names = [...new Set(reasons.map(([, reason]) => reason))];
    return [h('option', { value: '' }, 'every reason'), ...names.map((name) => h('option', { value: name, selected: name === chosen }, name))];
  }

  columns() {
    const { resources, totals, before } = this.nodes;
    return [
      { key: 'name', text: 'node', class: 'stick' },
      ...(hasPlaces(this.nodes) ? [{ key: 'zone', text: 'zone', class: 'hide-s' }] : []),
      ...(totals ? [{ key: 'total', text: 'total', class: 'n' }] : []),
      ...resources.flatMap((one) => [
        { key: one.name, text: `${shortResource(one.name)} free`, title: `${one.name}: free / allocatable`, class: 'n' },
        ...(isShort(one) ? [{ text: 'short', title: `how much more ${one.name} it would take`, class: 'n' }] : []),
      ]),
      ...(hasOthers(this.nodes) ? [{ text: resources.some(isShort) ? 'other reasons' : 'why not', class: '' }] : []),
      { key: 'reasons', text: 'reasons', class: 'n' },
      ...(before ? [{ key: 'changed', text: 'attempt before', class: '' }] : []),
    ];
  }

  headOf({ key, text, title, class: looks }) {
    if (!key) return h('th', { class: looks || null, scope: 'col', title }, text);
    const button = h('button', { type: 'button', onclick: () => this.sortBy(key) }, text);
    return h('th', { class: looks || null, scope: 'col', title, 'data-key': key }, button);
  }

  sortBy(key) {
    this.sort = this.sort === key ? `-${key}` : this.sort === `-${key}` ? 'near' : key;
    this.draw();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw(), PAUSE_MS);
  }

  // Called by the tab of reasons as well.
  show(reason) {
    if (!this.reason) return;
    this.reason.value = reason;
    this.draw();
  }

  draw() {
    setQuery({ q: this.box.value, reason: this.reason.value, sort: this.sort === 'near' ? '' : this.sort });
    this.rows = ordered(this.nodes, wanted(this.nodes, this.box.value, this.reason.value), this.sort);
    for (const head of this.heads) {
      const { key } = head.dataset;
      const state = this.sort === key ? 'ascending' : this.sort === `-${key}` ? 'descending' : null;
      if (key && state) head.setAttribute('aria-sort', state);
      else head.removeAttribute('aria-sort');
    }
    this.body.replaceChildren();
    this.more();
    const short = shortages(this.nodes, this.rows, shortResource);
    const text = `${plural(this.rows.length, 'node')}${short ? `: ${short}` : ''}.`;
    this.says.textContent = text;
    if (this.drawn) announce(text);
    this.drawn = true;
  }

  more() {
    const from = this.body.querySelectorAll('[data-node]').length;
    this.body.append(...this.rows.slice(from, from + PAGE).map((at) => this.line(at)));
    const left = this.rows.length - from - PAGE;
    this.next.hidden = left <= 0;
    this.next.textContent = `Show ${Math.min(left, PAGE)} more of ${count(left)}`;
    if (!this.rows.length) this.body.append(h('tr', {}, h('td', { class: 'dim', colspan: this.heads.length }, this.nodes.names.length ? 'No node is like that. Clear the filter to see all.' : 'The cluster had no nodes.')));
  }

  line(at) {
    const name = this.nodes.names[at];
    const open = h('button', { class: 'button button-quiet button-icon', type: 'button', 'aria-expanded': 'false', 'aria-label': `Steps of the filters on ${name}`, onclick: () => this.unfold(name, open) }, icon('right', 'fold-sign'));
    return nodeRow(this.nodes, at, open, this.base);
  }

  // The steps behind each verdict, in a row of their own below the node.
  async unfold(node, open) {
    const row = open.closest('tr');
    const was = open.getAttribute('aria-expanded') === 'true';
    open.setAttribute('aria-expanded', String(!was));
    if (was) return row.nextElementSibling.remove();
    const cell = h('td', { colspan: this.heads.length }, h('div', { class: 'skeleton skeleton-60' }));
    row.after(h('tr', { class: 'data-table-sub' }, cell));
    const found = await fetch(then(`${this.base}cycles/${this.dataset.cycle}/explain.json?${new URLSearchParams({ node })}`))
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    cell.replaceChildren(found ? filterSteps(found.filters) : 'The steps could not be read.');
  }
}

customElements.define('why-nodes', WhyNodes);
