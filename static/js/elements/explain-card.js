// A score, opened: its three layers, the formula with this node's figures, one sentence of cause.
import { h, sentence } from '../dom.js';
import { written } from '../formula.js';

class ExplainCard extends HTMLElement {
  update({ explained }) {
    const key = explained ?? null;
    if (key === this.drawn) return;
    this.drawn = key;
    this.classList.add('explain-card');
    if (!key)
      return this.replaceChildren(
        h('h3', {}, 'Explain'),
        h(
          'p',
          { class: 'soft' },
          'Click a cell of the matrix (or walk to it with the arrow keys and press Enter) to see how its number came about.',
        ),
      );
    const head = h(
      'div',
      { class: 'explain-card-head' },
      h('h3', {}, key.algorithm),
      h('span', { class: 'mono dim' }, key.node),
    );
    if (key.error) return this.replaceChildren(head, h('p', { class: 'no', role: 'alert' }, key.error));
    if (!key.steps)
      return this.replaceChildren(
        head,
        h('div', { class: 'skeleton skeleton-80' }),
        h('div', { class: 'skeleton skeleton-60' }),
      );
    head.append(h('span', { class: 'value' }, key.weighted ?? key.raw));
    return this.replaceChildren(
      head,
      layers(key),
      key.about ? h('p', { class: 'soft' }, sentence(key.about)) : '',
      formula(key),
    );
  }
}

const layers = ({ raw, normalized, weighted, weight }) =>
  h(
    'div',
    { class: 'layers' },
    [
      ['raw', raw],
      ['normalised', normalized],
      [`weighted ×${weight}`, weighted],
    ].map(([text, value]) => h('div', {}, h('small', {}, text), h('b', {}, value ?? '–'))),
  );

function formula(key) {
  const lines = written(key.steps).map(step);
  lines.push(
    sum(
      'raw',
      key.raw_min === key.raw_max ? 'the same on every node' : `all nodes: ${key.raw_min} to ${key.raw_max}`,
      key.raw,
    ),
  );
  if (key.normalized !== null && key.normalized !== key.raw)
    lines.push(sum('reduce', 'brought to 0 … 100', key.normalized));
  if (key.weighted !== null) lines.push(sum('weight', `${key.normalized} × ${key.weight}`, key.weighted));
  return h('div', { class: 'formula', tabindex: '0', role: 'group', 'aria-label': 'Formula' }, lines);
}

const sum = (name, how, result) =>
  h('div', { class: 'formula-step sum' }, h('span', {}, name), h('span', {}, how), h('span', {}, result));

// One line of the ledger; the note says what the figures are.
const step = ({ name, text, result, note }) =>
  h(
    'div',
    { class: 'formula-step' },
    h('span', {}, name),
    h('span', {}, text, note ? h('small', {}, note) : ''),
    h('span', {}, result),
  );

customElements.define('explain-card', ExplainCard);
