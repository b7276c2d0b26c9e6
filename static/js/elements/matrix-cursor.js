// The cell that the arrow keys are at: one button that moves over the matrix, so that it is a single stop of Tab.
import { h, setProps } from '../dom.js';
import { valueOf } from '../scores.js';

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const JUMPS = { PageUp: [-10, 0], PageDown: [10, 0], Home: [0, -Infinity], End: [0, Infinity] };

// `place` {y, x} after a key, within `rows` × `columns`; null where the key moves nothing.
export function moved(key, { y, x }, rows, columns) {
  const step = ARROWS[key] ?? JUMPS[key];
  if (!step) return null;
  const within = (value, count) => Math.min(count - 1, Math.max(0, value));
  return { y: within(y + step[0], rows), x: within(x + step[1], columns) };
}

export class MatrixCursor {
  beyond = null; // (name): the focus to what stands right of that row; whether there is anything

  // `explain(row, at)`; `say(text)` for readers of screens; `at(element | null, place)`: told where the cursor went.
  constructor({ explain, say, at }) {
    Object.assign(this, { say, at, name: '', place: { y: 0, x: 0 } });
    this.node = h('button', {
      type: 'button',
      class: 'matrix-cursor',
      'aria-keyshortcuts': 'M',
      onclick: () => explain(this.view.order[this.place.y], this.view.layer === 'total' ? -1 : this.place.x),
      onkeydown: (event) => this.key(event),
      onfocus: () => this.told(),
      onblur: () => this.at(null),
    });
  }

  // The cursor stays at its node and algorithm, wherever the new order puts them.
  draw(cycle, view) {
    Object.assign(this, { cycle, view });
    const y = view.order.findIndex((row) => cycle.rows.names[row] === this.name);
    this.put({ y: Math.max(0, y), x: Math.min(this.place.x, cycle.algorithms.length - 1) });
  }

  put(place) {
    const { cycle, view, node } = this;
    this.place = place;
    this.name = cycle.rows.names[view.order[place.y]];
    const bars = view.layer === 'total'; // a row is one bar there
    node.style.setProperty('--y', place.y);
    node.style.setProperty('--x', bars ? 0 : place.x);
    node.style.setProperty('--across', bars ? 1 : cycle.algorithms.length);
    setProps(node, { 'aria-label': this.words() });
  }

  words() {
    const { cycle, view, place } = this;
    const row = view.order[place.y];
    return `${cycle.rows.names[row]}, ${cycle.algorithms[place.x].name}: ${valueOf(cycle, place.x, view.layer, row)}`;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') return this.node.blur();
    if (!this.view.order.length) return;
    const place = moved(event.key, this.place, this.view.order.length, this.cycle.algorithms.length);
    if (!place) return;
    event.preventDefault();
    event.stopPropagation(); // End goes to the end of the row here
    const end = this.view.layer === 'total' || this.place.x === this.cycle.algorithms.length - 1;
    if (event.key === 'ArrowRight' && end && this.beyond?.(this.name)) return;
    this.put(place);
    this.told();
    this.say(this.words());
  }

  told() {
    this.node.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.at(this.node, this.place);
  }

  // {name, x} of the cell that has the focus, if one has.
  held() {
    return document.activeElement === this.node ? { name: this.name, x: this.place.x } : null;
  }

  // At a node and algorithm, or where it was last.
  focus(name = this.name, x = this.place.x) {
    if (!this.view?.order.length) return;
    if (x < 0 && this.beyond?.(name)) return;
    const y = this.view.order.findIndex((row) => this.cycle.rows.names[row] === name);
    this.put({ y: Math.max(0, y), x: Math.max(0, x) });
    this.node.focus({ preventScroll: true });
  }
}
