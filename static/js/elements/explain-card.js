// A score, opened: raw, brought to 0 … 100, times its weight, each with the sum that led there; then what let the node pass.
import { h, icon, redraw, sentence } from '../dom.js';
import { byKeys } from '../keyboard.js';
import { totalCard } from './total-card.js';
import { filterSteps } from './filter-steps.js';
import { ledger } from './step-ledger.js';

const HINT = byKeys(
  'Click a cell or a total of the matrix (or walk to it with the arrow keys and press Enter) to see how its number came about.',
  'Touch a cell or a total of the matrix to see how its number came about.',
);

const figure = (number) => String(number).replace('-', '−');

class ExplainCard extends HTMLElement {
  start(store, { explain }) {
    this.open = (node, algorithm) => explain?.(store.state.shown ?? store.state.cycle, node, algorithm);
  }

  update({ explained }) {
    const key = explained ?? null;
    if (key === this.drawn) return;
    this.drawn = key;
    this.classList.add('explain-card');
    if (!key) return this.replaceChildren(h('h3', {}, 'Explain'), h('p', { class: 'soft' }, HINT));
    if (key.total) return redraw(this, ...totalCard(key.total, (name) => this.open(key.node, name)), key.first ? h('p', { class: 'soft' }, HINT) : '');
    const up = h('button', { class: 'button button-quiet push', type: 'button', onclick: () => this.open(key.node) }, icon('up', 'icon-s'), 'Total');
    const head = h(
      'div',
      { class: 'explain-card-head' },
      h('h3', {}, key.algorithm),
      h('span', { class: 'mono dim' }, key.node),
      up,
    );
    if (key.absent) return this.replaceChildren(head, h('p', { class: 'soft' }, `${key.absent[0].toUpperCase()}${key.absent.slice(1)}.`));
    if (key.error) return this.replaceChildren(head, h('p', { class: 'no', role: 'alert' }, key.error));
    if (!key.steps) return this.replaceChildren(head, ...[80, 60].map((width) => h('div', { class: `skeleton skeleton-${width}` })));
    return this.replaceChildren(head, layers(key), key.about ? h('p', { class: 'soft' }, sentence(key.about)) : '', ...parts(key));
  }
}

// raw → normalised → × weight: what goes in on the left, what counts on the right.
const layers = ({ raw, normalized, weighted, weight }) =>
  h(
    'div',
    { class: 'layers' },
    layer('raw', raw),
    h('i', { 'aria-hidden': 'true' }, '→'),
    layer('normalised', normalized),
    h('i', { 'aria-hidden': 'true' }, '→'),
    layer(`× ${weight}`, weighted),
  );

const layer = (text, value) =>
  h('div', {}, h('small', {}, text), h('b', {}, value === null ? '–' : figure(value)));

function parts(key) {
  const { raw_min: low, raw_max: high } = key;
  const range = low === high ? 'the same on every node' : `${figure(low)} to ${figure(high)} on all nodes`;
  const found = [part('Map', range, key.raw, key.steps)];
  if (key.normalized !== null) found.push(part('Reduce', reduced(key), key.normalized, key.reduce));
  if (key.weighted !== null) found.push(part('Weight', '', key.weighted, key.weigh));
  found.push(h('section', { class: 'explain-part' }, h('header', {}, h('h4', {}, 'Filter')), filterSteps(key.filters)));
  return found;
}

// An algorithm without reduce has one line, which says so.
const reduced = ({ reduce }) => (reduce.length > 1 ? 'brought to 0 … 100' : '');

const part = (name, how, result, steps) =>
  h(
    'section',
    { class: 'explain-part' },
    h('header', {}, h('h4', {}, name), h('span', { class: 'dim' }, how), h('b', {}, figure(result))),
    steps.length ? ledger(`${name}, step by step`, steps) : '',
  );

customElements.define('explain-card', ExplainCard);
