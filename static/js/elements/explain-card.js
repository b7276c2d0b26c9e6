// A score, opened: its three layers, the formula with this node's figures, one sentence of cause.
import { h, sentence } from '../dom.js';

class ExplainCard extends HTMLElement {
  update({ explained }) {
    const key = explained ?? null;
    if (key === this.drawn) return;
    this.drawn = key;
    this.classList.add('explain-card');
    if (!key) return this.replaceChildren(h('h3', {}, 'Explain'), h('p', { class: 'soft' }, 'Click a cell of the matrix (or walk to it with the arrow keys and press Enter) to see how its number came about.'));
    const head = h('div', { class: 'explain-card-head' }, h('h3', {}, key.algorithm), h('span', { class: 'mono dim' }, key.node));
    if (key.error) return this.replaceChildren(head, h('p', { class: 'no', role: 'alert' }, key.error));
    if (!key.steps) return this.replaceChildren(head, h('div', { class: 'skeleton skeleton-80' }), h('div', { class: 'skeleton skeleton-60' }));
    head.append(h('span', { class: 'value' }, key.weighted ?? key.raw));
    return this.replaceChildren(head, layers(key), h('p', { class: 'soft' }, sentence(key.about)), formula(key));
  }
}

const layers = ({ raw, normalized, weighted, weight }) => h('div', { class: 'layers' },
  [['raw', raw], ['normalised', normalized], [`weighted ×${weight}`, weighted]].map(([text, value]) => h('div', {}, h('small', {}, text), h('b', {}, value ?? '–'))));

function formula(key) {
  const lines = key.steps.map(step);
  lines.push(sum('raw', key.raw_min === key.raw_max ? 'the same on every node' : `all nodes: ${key.raw_min} to ${key.raw_max}`, key.raw));
  if (key.normalized !== null && key.normalized !== key.raw) lines.push(sum('reduce', 'brought to 0 … 100', key.normalized));
  if (key.weighted !== null) lines.push(sum('weight', `${key.normalized} × ${key.weight}`, key.weighted));
  return h('div', { class: 'formula', tabindex: '0', role: 'group', 'aria-label': 'Formula' }, lines);
}

const sum = (name, how, result) => h('div', { class: 'formula-step sum' }, h('span', {}, name), h('span', {}, how), h('span', {}, result));

// {name, op, inputs, result, note}: one line of the ledger.
function step({ name, op, inputs, result, note }) {
  return h('div', { class: 'formula-step', title: note || null }, h('span', {}, name), h('span', {}, worded(op, inputs), note ? h('small', {}, note) : ''), h('span', {}, value(result)));
}

function worded(op, inputs) {
  if (!inputs) return op ?? '';
  const list = Array.isArray(inputs) ? inputs.map(value) : Object.entries(inputs).map(([name, one]) => `${name} ${value(one)}`);
  return /^[-+×*/÷−]$/.test(op) ? list.join(` ${op} `) : `${op}${list.length ? ` (${list.join(', ')})` : ''}`;
}

const value = (one) => (one === null || one === undefined ? '' : typeof one === 'object' ? JSON.stringify(one) : String(one));

customElements.define('explain-card', ExplainCard);
