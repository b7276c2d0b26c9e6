// The command palette: Ctrl K, type, arrows, Enter. One dialog, made when first wanted.
import { h, icon } from './dom.js';
import { actions, verbs } from './keys.js';
import { itemsFor } from './palette-items.js';
import { then } from './past.js';

const { base, at } = document.documentElement.dataset;
const FIND_AFTER_MS = 150; // since the last letter
let palette = null;

export function startPalette() {
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    open();
  });
  for (const button of document.querySelectorAll('[data-palette-open]')) button.addEventListener('click', open);
}

function open() {
  palette ??= new Palette();
  palette.show();
}

class Palette {
  constructor() {
    this.input = h('input', {
      type: 'text',
      placeholder: 'Pod, node, cycle or action',
      'aria-label': 'Search or command',
      role: 'combobox',
      'aria-expanded': 'true',
      'aria-controls': 'palette-list',
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => this.typed(),
      onkeydown: (event) => this.key(event),
    });
    this.hits = h('div', { id: 'palette-list', role: 'listbox', 'aria-label': 'Hits', class: 'command-palette-list' });
    this.dialog = h(
      'dialog',
      { class: 'dialog command-palette', 'aria-label': 'Search or command' },
      h('div', { class: 'command-palette-input' }, icon('search'), this.input, h('kbd', {}, 'Esc')),
      this.hits,
    );
    document.body.append(this.dialog);
  }

  async show() {
    this.input.value = '';
    this.state ??= null;
    this.dialog.showModal();
    this.list();
    if (!base) return;
    const answer = await fetch(`${base}state.json`).catch(() => null);
    if (answer?.ok) this.state = await answer.json();
    this.list();
  }

  typed() {
    clearTimeout(this.timer);
    this.list();
    if (base && this.input.value.trim()) this.timer = setTimeout(() => this.find(this.input.value.trim()), FIND_AFTER_MS);
  }

  // Only what was found for the text that stands there counts; what is chosen already stays chosen.
  async find(text) {
    const query = new URLSearchParams({ q: text, ...(at ? { at } : {}) });
    const answer = await fetch(`${base}find.json?${query}`).catch(() => null);
    const found = answer?.ok ? await answer.json() : null;
    if (!found || text !== this.input.value.trim()) return;
    this.found = { text, found };
    const chosen = this.at > 0 ? this.items[this.at] : null;
    this.list();
    const place = this.items.findIndex((item) => chosen && item.text === chosen.text && item.href === chosen.href);
    this.mark(Math.max(0, place));
  }

  list() {
    const found = this.found?.text === this.input.value.trim() ? this.found.found : null;
    this.groups = itemsFor(this.input.value, { base, state: this.state, found, actions: actions(), verbs: verbs() });
    this.items = this.groups.flatMap((group) => group.items);
    this.at = 0;
    let place = 0;
    const drawn = this.groups.map((group) =>
      h(
        'div',
        { class: 'command-palette-group', role: 'group', 'aria-label': group.title },
        h('div', { class: 'label', 'aria-hidden': 'true' }, group.title),
        group.items.map((item) => this.option(item, place++)),
      ),
    );
    this.hits.replaceChildren(...(drawn.length ? drawn : [h('p', { class: 'empty' }, 'Nothing matches.')]));
    this.mark();
  }

  option(item, place) {
    return h(
      'div',
      {
        class: 'command-palette-item',
        role: 'option',
        id: `palette-${place}`,
        'aria-selected': 'false',
        onclick: () => this.take(item),
        onpointermove: () => this.mark(place),
      },
      icon(item.icon),
      h('span', { class: 'clip' }, item.text),
      h('span', { class: item.key ? 'dim key-hint' : 'dim' }, item.note),
    );
  }

  mark(at = this.at) {
    this.at = at;
    for (const option of this.hits.querySelectorAll('[role=option]')) {
      option.setAttribute('aria-selected', String(option.id === `palette-${at}`));
    }
    this.input.setAttribute('aria-activedescendant', `palette-${at}`);
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.items.length) {
      this.mark((this.at + step + this.items.length) % this.items.length);
      this.hits.querySelector(`#palette-${this.at}`).scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && this.items[this.at]) this.take(this.items[this.at]);
    else return;
    event.preventDefault();
  }

  take(item) {
    if (item.say) {
      this.input.value = item.say;
      return this.list();
    }
    this.dialog.close();
    if (item.href) location.href = then(item.href);
    else item.run();
  }
}
