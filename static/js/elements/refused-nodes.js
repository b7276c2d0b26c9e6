// Every refused node with all that speaks against it. Read page by page, once it is in view.
import { announce, h, icon } from '../dom.js';
import { plural } from '../format.js';
import { filterSteps } from './filter-steps.js';
import { chevron } from './step-ledger.js';

const PAUSE_MS = 250;
const PAGE = 100;

class RefusedNodes extends HTMLElement {
  connectedCallback() {
    this.base = document.documentElement.dataset.base;
    this.box = h('input', { class: 'input', type: 'search', placeholder: 'node, zone, reason', 'aria-label': 'Filter refused nodes', oninput: () => this.typed() });
    this.says = h('p', { class: 'dim refused-says' });
    this.body = h('tbody');
    this.next = h('button', { class: 'button', type: 'button', hidden: true, onclick: () => this.load(this.body.querySelectorAll('[data-node]').length) }, 'Show next');
    const heads = ['node', 'zone', 'filter', 'reason', 'distance'].map((text) => h('th', { scope: 'col', class: text === 'node' ? 'stick' : null }, text));
    this.replaceChildren(
      h('div', { class: 'refused-head' }, h('div', { class: 'filter' }, icon('search'), this.box), this.says),
      h('div', { class: 'data-table-wrap', tabindex: '0', role: 'region', 'aria-label': 'Table of refused nodes' }, h('table', { class: 'data-table' }, h('thead', {}, h('tr', {}, heads)), this.body)),
      h('div', { class: 'refused-next' }, this.next),
    );
    this.number = this.dataset.cycle;
    this.box.value = new URLSearchParams(location.search).get('refused') ?? '';
    this.first = Boolean(this.box.value); // by what came first, as the counts are that lead here
    document.addEventListener('click', (event) => this.narrow(event));
    this.watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.begin());
    this.watch.observe(this);
    addEventListener('beforeprint', () => this.begin());
  }

  update({ cycle }) {
    const key = `${cycle.number} ${cycle.popped_seq} ${cycle.phase} ${cycle.finished_seq}`;
    if (key === this.drawn) return;
    this.drawn = key;
    this.number = cycle.number;
    this.closest('section').hidden = !cycle.refusals.length;
    if (this.begun) this.load(0);
  }

  begin() {
    if (this.begun || !this.number) return;
    this.begun = true;
    this.watch.disconnect();
    this.load(0);
  }

  typed() {
    this.first = false;
    this.later();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(0), PAUSE_MS);
  }

  // A link on this page to the nodes of one filter or reason: narrowed here, without a way to the server and back.
  narrow(event) {
    const link = event.target.closest?.('a[href*="refused="]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const url = new URL(link.href);
    if (url.pathname !== location.pathname || link.closest('nav')) return;
    event.preventDefault();
    this.box.value = url.searchParams.get('refused');
    this.first = true;
    history.replaceState(null, '', url);
    this.begun = true;
    this.watch.disconnect();
    this.load(0);
    this.closest('section').scrollIntoView({ block: 'start' });
    this.box.focus({ preventScroll: true });
  }

  async load(offset) {
    const first = !this.question;
    const asked = (this.question = { offset });
    const query = new URLSearchParams({ verdict: 'refused', q: this.box.value, offset, limit: PAGE, ...(this.first && { first: 1 }) });
    const found = await fetch(`${this.base}cycles/${this.number}/nodes.json?${query}`)
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (asked !== this.question) return;
    if (!found) return this.says.replaceChildren('The refused nodes could not be read.');
    const rows = found.nodes.map((node) => this.line(node));
    if (offset) this.body.append(...rows);
    else this.body.replaceChildren(...rows);
    this.next.hidden = this.body.querySelectorAll('[data-node]').length >= found.count;
    const text = `${plural(found.count, 'node')}, ${plural(found.reason_count, 'reason')}${found.reason_count > found.count ? ': a node may have several' : ''}.${this.first ? ' Of each the first refusal counts here.' : ''}`;
    this.says.replaceChildren(text);
    if (!first) announce(text);
  }

  line({ node, zone, failures }) {
    const each = (text, title = () => null) => h('td', {}, failures.map((one) => h('div', { class: 'refused-line', title: title(one) }, text(one))));
    const missing = (one) => one.missing.join('; ');
    const open = h('button', { class: 'button button-quiet button-icon', type: 'button', 'aria-expanded': 'false', 'aria-label': `Steps of the filters on ${node}`, onclick: () => this.unfold(node, open) }, chevron());
    return h(
      'tr',
      { 'data-node': node },
      h('td', { class: 'name stick' }, open, h('a', { href: `${this.base}nodes/${encodeURIComponent(node)}/` }, node)),
      h('td', { class: 'dim nowrap' }, zone),
      each((one) => h('span', { class: 'dim' }, one.plugin)),
      each((one) => one.reasons.join(', ')),
      each(missing, (one) => missing(one) || null),
    );
  }

  // The steps behind each verdict, in a row of their own below the node.
  async unfold(node, open) {
    const row = open.closest('tr');
    const shown = open.getAttribute('aria-expanded') === 'true';
    open.setAttribute('aria-expanded', String(!shown));
    if (shown) return row.nextElementSibling.remove();
    const cell = h('td', { colspan: 5 }, h('div', { class: 'skeleton skeleton-60' }));
    row.after(h('tr', { class: 'data-table-sub' }, cell));
    const found = await fetch(`${this.base}cycles/${this.number}/explain.json?${new URLSearchParams({ node })}`)
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    cell.replaceChildren(found ? filterSteps(found.filters) : 'The steps could not be read.');
  }
}

customElements.define('refused-nodes', RefusedNodes);
