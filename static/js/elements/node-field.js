// All nodes as one map, a square a node, in groups. `picture`: see dashboard.build.nodes.picture. Enter chooses one.
import { announce, h, s, setText } from '../dom.js';
import { plural } from '../format.js';
import { across, pitchFor, walked } from './node-layout.js';
import { legend } from './node-legend.js';
import { placeOf, shades } from './node-shades.js';

const LOOKS = { 0: '', 1: 'off', 2: 'down' };
const STATES = { 1: 'cordoned', 2: 'not ready' };
const SAY_MS = 250;

class NodeField extends HTMLElement {
  update(picture, chosen) {
    this.place ??= this.start();
    this.picture = picture;
    this.chosen = chosen;
    this.cursor = Math.min(this.cursor ?? Math.max(0, picture.names.indexOf(chosen)), picture.names.length - 1);
    this.setAttribute('aria-label', this.label());
    this.draw();
  }

  start() {
    Object.assign(this, { tabIndex: 0 });
    this.setAttribute('role', 'application');
    this.tip = h('p', { class: 'node-field-tip' });
    this.field = h('div', { class: 'node-field-groups' });
    this.append(this.tip, this.field, legend(this.dataset.shade));
    this.addEventListener('keydown', (event) => this.key(event));
    this.field.addEventListener('pointermove', (event) => this.point(this.at(event)));
    this.field.addEventListener('pointerleave', () => this.point(-1));
    this.field.addEventListener('click', (event) => this.choose(this.at(event)));
    this.addEventListener('focus', () => this.show(this.cursor, false));
    this.addEventListener('blur', () => this.mark('f-cursor', -1));
    new ResizeObserver(() => this.width !== this.field.clientWidth && this.picture && this.draw()).observe(this.field);
    return true;
  }

  label({ names, shade } = this.picture) {
    return `Map of ${plural(names.length, 'node')} by requested ${shade}: arrows walk over nodes, Enter shows one. The table says the same.`;
  }

  draw() {
    this.width = this.field.clientWidth;
    this.pitch = pitchFor(this.picture.names.length);
    this.blocks = [];
    const outer = this.picture.blocks.some((block) => block.blocks.length) ? this.picture.blocks : [{ name: null, blocks: this.picture.blocks }];
    let first = 0;
    const made = outer.map((group) => {
      const columns = across(group.blocks.map((block) => block.count), this.width, this.pitch);
      const parts = group.blocks.map((block, at) => {
        const node = this.block(block, first, columns[at], outer.length > 1 || group.name !== null ? group.name : null);
        first += block.count;
        return node;
      });
      const head = group.name === null ? null : h('h2', {}, group.name || 'no label', ' ', h('span', { class: 'dim' }, plural(group.count, 'node')));
      return h('section', { class: 'node-field-group' }, head, h('div', { class: 'node-field-blocks' }, parts));
    });
    this.field.replaceChildren(...made);
    this.mark('f-sel', this.picture.names.indexOf(this.chosen));
    this.point(-1);
    if (document.activeElement === this) this.show(this.cursor, false);
  }

  block(block, first, columns, outer) {
    const [pitch, shade] = [this.pitch, this.picture.shade.split('/').at(-1)];
    const rows = Math.ceil(block.count / columns);
    const cells = Array.from({ length: block.count }, (_, at) => this.cell(first + at));
    const svg = s(
      'svg',
      { width: columns * pitch + 2, height: rows * pitch + 2, viewBox: `-1 -1 ${columns * pitch + 2} ${rows * pitch + 2}`, 'aria-hidden': 'true' },
      shades(cells, columns, pitch),
    );
    this.blocks.push({ svg, first, count: block.count, columns, outer, name: block.name });
    const note = `${plural(block.count, 'node')} · ${block.percent ? `${shade} ${block.percent}` : `no ${shade}`}`;
    const name = block.name || (outer === null && this.picture.blocks.length === 1 ? '' : 'no label');
    return h('section', { class: 'node-field-block' }, h('header', {}, name && h('b', {}, name), h('span', { class: 'dim' }, note)), svg);
  }

  cell(at) {
    const { share, state } = this.picture;
    const look = LOOKS[state[at]];
    return { share: share[at] < 0 ? null : share[at] / 1000, look, slash: look === 'off' };
  }

  at(event) {
    const svg = event.target.closest('svg');
    const block = this.blocks.find((one) => one.svg === svg);
    if (!block) return -1;
    const box = svg.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - 1) / this.pitch);
    const place = Math.floor((event.clientY - box.top - 1) / this.pitch) * block.columns + column;
    return column < 0 || column >= block.columns || place < 0 || place >= block.count ? -1 : block.first + place;
  }

  words(at) {
    const { names, share, state, pods, shade } = this.picture;
    const block = this.blockOf(at);
    const group = [block.outer, block.name].filter(Boolean).join(', ');
    const figure = share[at] < 0 ? `offers no ${shade}` : `${shade} ${Math.floor(share[at] / 10)}%`;
    return [names[at], figure, plural(pods[at], 'pod'), STATES[state[at]], group].filter(Boolean).join(' · ');
  }

  blockOf(at) {
    return this.blocks.findLast((block) => block.first <= at);
  }

  point(at) {
    setText(this.tip, at >= 0 ? this.words(at) : 'Choose a node: click or touch it, or walk with the arrows and press Enter.');
  }

  show(at, speak = true) {
    this.cursor = at;
    this.mark('f-cursor', at);
    this.point(at);
    this.blockOf(at)?.svg.querySelector('.f-cursor')?.scrollIntoView({ block: 'nearest' });
    clearTimeout(this.saying);
    if (speak) this.saying = setTimeout(() => announce(this.words(at)), SAY_MS);
  }

  mark(name, at) {
    for (const old of this.field.querySelectorAll(`.${name}`)) old.remove();
    const block = at >= 0 && this.blockOf(at);
    const [x, y] = block ? placeOf(at - block.first, block.columns, this.pitch) : [];
    block?.svg?.append(s('rect', { class: name, x: x - 0.5, y: y - 0.5, width: this.pitch, height: this.pitch }));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = walked(event.key, this.cursor, this.blocks);
    if (to !== null) this.show(to);
    else if (event.key === 'Enter') this.choose(this.cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  choose(at) {
    if (at < 0) return;
    this.cursor = at;
    this.chosen = this.picture.names[at];
    this.mark('f-sel', at);
    this.dispatchEvent(new CustomEvent('choose', { detail: this.chosen, bubbles: true }));
  }

  unchoose() {
    this.mark('f-sel', -1);
  }
}

customElements.define('node-field', NodeField);
