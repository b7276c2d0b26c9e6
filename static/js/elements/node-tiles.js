// The board's tiles, in the groups of the page of nodes, walked over by arrow keys. They are made a few at a time, so that the
// page stays quick.
import { h } from '../dom.js';
import { plural, shortResource } from '../format.js';
import { nodeTile, patchTile } from './node-tile.js';
import { naming } from './tile-names.js';
import { walkTiles } from './walk.js';

const AT_ONCE = 30;
const FEW = 12; // so few have room for larger tiles

// What a tile's squares and its two bars are, in words.
function legend(tiles) {
  const extra = tiles.find((tile) => tile.extra !== null);
  const others = extra && tiles.some((tile) => tile.extra === null) ? `, or ${shortResource(extra.extra_name)} where a node has it` : '';
  const second = extra && !others ? shortResource(extra.extra_name) : `memory${others}`;
  return h('p', { class: 'node-notes dim' }, `A square is a pod, in the colour of its owner. Upper bar: cpu requested; lower bar: ${second}.`);
}

class NodeTiles extends HTMLElement {
  connectedCallback() {
    this.addEventListener('keydown', (event) => walkTiles(this, event));
  }

  update({ blocks, tiles }, chosen = '') {
    this.chosen = chosen;
    this.isHeld = this.contains(document.activeElement);
    const stops = [this.querySelector('[tabindex="0"]')?.dataset.node, chosen, tiles[0]?.name];
    this.stop = stops.find((name) => tiles.some((tile) => tile.name === name)); // the one that Tab leads to
    const base = document.documentElement.dataset.base;
    this.names = naming([{ tiles }]);
    this.style.setProperty('--letters', this.names.letters);
    this.toggleAttribute('data-few', tiles.length <= FEW);
    const flat = blocks.flatMap((block) =>
      block.blocks.length ? block.blocks.map((inner) => ({ ...inner, name: `${block.name || 'no label'} · ${inner.name || 'no label'}` })) : [block],
    );
    let first = 0;
    const jobs = [];
    const sections = flat.map((block) => {
      const grid = h('div', { class: 'node-zone-grid' });
      const own = tiles.slice(first, first + block.count);
      for (let at = 0; at < own.length; at += AT_ONCE) jobs.push([grid, own.slice(at, at + AT_ONCE)]);
      first += block.count;
      const note = `${plural(block.count, 'node')} · ${block.percent ? `${this.dataset.shade} ${block.percent}` : `no ${this.dataset.shade}`}`;
      const head = h('div', { class: 'node-zone-head' }, h('b', {}, block.name || (flat.length > 1 ? 'no label' : 'all')), h('span', { class: 'dim' }, note));
      return own.length ? h('section', { class: 'node-zone' }, head, grid) : null;
    });
    this.replaceChildren(...sections.filter(Boolean), legend(tiles));
    clearTimeout(this.timer);
    this.work(jobs, base);
  }

  mark(name) {
    this.chosen = name;
    this.querySelector('[aria-current]')?.removeAttribute('aria-current');
    this.querySelector(`[data-node="${CSS.escape(name)}"]`)?.setAttribute('aria-current', 'true');
  }

  work(jobs, base) {
    const [grid, tiles] = jobs.shift() ?? [];
    if (!grid) return;
    for (const tile of tiles) {
      const node = nodeTile(tile, base);
      node.dataset.node = tile.name;
      patchTile(node, tile, this.names);
      if (tile.name === this.chosen) node.setAttribute('aria-current', 'true');
      grid.append(node);
      if (tile.name !== this.stop) continue;
      node.tabIndex = 0;
      if (this.isHeld) node.focus({ preventScroll: true });
    }
    this.timer = setTimeout(() => this.work(jobs, base));
  }
}

customElements.define('node-tiles', NodeTiles);
