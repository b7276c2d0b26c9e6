// The parts of the graph of queues as elements: a place, and a line with its label. Made once, then only set.
import { s, setProps, setText } from '../dom.js';
import { count, plural } from '../format.js';
import { WORDS } from './queue-words.js';

export function placeOf(name, href) {
  const parts = { box: s('rect', { rx: 6 }), title: s('text', { class: 'title' }), figure: s('text', { class: 'figure' }) };
  return Object.assign(s('a', { href, 'data-place': name }, ...Object.values(parts)), { parts });
}

// `href`: null for a line on which nobody went yet.
export function lineOf(href) {
  const path = s('path', { 'marker-end': 'url(#arrow)' });
  if (!href) return Object.assign(s('g', { 'data-empty': true }, path), { parts: { path } });
  const parts = {
    title: s('title'),
    path,
    pill: s('rect', { rx: 8 }),
    figure: s('text', { class: 'figure' }),
    first: s('text', { class: 'why' }),
    second: s('text', { class: 'why' }),
  };
  return Object.assign(s('a', { href }, ...Object.values(parts)), { parts });
}

export function setLine(node, { d, edge, label }) {
  const { title, path, pill, figure, first, second } = node.parts;
  setProps(path, { d });
  if (!edge) return;
  const known = node.count;
  node.count = edge.count;
  setText(title, causes(edge));
  const [[x, y, width, height], words] = [label.pill, label.texts];
  setProps(pill, { x: x.toFixed(1), y: y.toFixed(1), width, height });
  setText(figure, label.figure);
  setProps(figure, { x: (x + width / 2).toFixed(1), y: (y + height / 2 + 4).toFixed(1) });
  for (const [at, text] of [first, second].entries()) {
    const one = words[at];
    setText(text, one?.text ?? '');
    if (one) setProps(text, { x: one.x.toFixed(1), y: one.y.toFixed(1), 'text-anchor': one.anchor });
  }
  setProps(second, { 'data-meaning': edge.causes.length === 1 });
  setProps(node, { 'aria-label': causes(edge), 'data-fresh': known !== undefined && known !== edge.count });
}

export function setPlace(node, { name, box: [x, y, width, height], count: pods }) {
  const { box, title, figure } = node.parts;
  setProps(box, { x, y, width, height });
  setText(title, WORDS[name]);
  setProps(title, { x: x + 12, y: y + (pods === null ? height / 2 + 4 : 22) });
  setText(figure, pods === null ? '' : count(pods));
  setProps(figure, { x: x + 12, y: y + 46 });
  const words = pods === null ? WORDS[name] : `${WORDS[name]}: ${plural(pods, 'pod')}`;
  setProps(node, { 'data-empty': !pods, 'aria-label': words });
}

const label = ({ cause, hint, means }) => `${cause}${means ? ` (${means})` : ''}${hint ? ` by ${hint}` : ''}`;

function causes(edge) {
  const all = edge.causes.map((one) => `${label(one)} ${count(one.count)}`);
  return `${WORDS[edge.source]} to ${WORDS[edge.target]}, ${plural(edge.count, 'move')}: ${all.join(', ')}`;
}

export function arrow() {
  const size = { markerWidth: 7, markerHeight: 7, refX: 7, refY: 4 };
  return s('marker', { id: 'arrow', viewBox: '0 0 8 8', orient: 'auto', ...size }, s('path', { d: 'M0 0 8 4 0 8z' }));
}
