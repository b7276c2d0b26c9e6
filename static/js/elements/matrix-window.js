// Names and totals beside the cells: only rows in view (and some beyond) exist, so a long matrix costs what a short one does.
import { keyed, setProps } from '../dom.js';
import { labelRow, totalRow } from './matrix-rows.js';

const BEYOND = 16; // rows kept ready above and below, so that Tab and a turn of the wheel meet no gap

export class MatrixWindow {
  // `body` holds both columns and moves with the page.
  constructor(body, labels, totals, base) {
    Object.assign(this, { body, labels, totals, base, first: 0, last: 0, rows: [] });
    const soon = () => this.lookSoon();
    addEventListener('scroll', soon, { capture: true, passive: true });
    addEventListener('resize', soon, { passive: true });
    addEventListener('beforeprint', () => this.show(0, this.rows.length));
    addEventListener('afterprint', soon);
  }

  draw(cycle, rows, sums, height) {
    Object.assign(this, { cycle, rows, sums, height });
    this.body.style.setProperty('--rows', rows.length);
    const shown = Math.max(this.last - this.first, Math.ceil(innerHeight / height) + BEYOND);
    const first = Math.max(0, Math.min(this.first, rows.length - shown));
    this.show(first, first + shown);
    this.lookSoon(); // what stands above may have grown
  }

  lookSoon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.look();
    });
  }

  // New rows only where the window comes near the end of those that exist.
  look() {
    if (!this.rows.length) return;
    const { top } = this.body.getBoundingClientRect();
    const first = Math.max(0, Math.floor(-top / this.height));
    const last = Math.min(this.rows.length, Math.ceil((innerHeight - top) / this.height));
    const near = BEYOND / 2;
    const kept = (this.first === 0 || this.first <= first - near) && (this.last >= this.rows.length || this.last >= last + near);
    if (!kept && last > 0) this.show(first - BEYOND, last + BEYOND);
  }

  show(first, last) {
    this.first = Math.max(0, first);
    this.last = Math.min(this.rows.length, last);
    this.fill(this.labels, labelRow);
    this.fill(this.totals, totalRow);
  }

  fill(parent, row) {
    const { cycle, rows, sums, base } = this;
    keyed(
      parent,
      this.places(parent),
      (at) => cycle.rows.names[rows[at]],
      () => row(),
      (node, at) => {
        row(node, cycle, rows[at], sums, base);
        node.style.setProperty('--y', at);
        setProps(node, { 'aria-posinset': at + 1, 'aria-setsize': rows.length });
      },
    );
  }

  // Places of the window's rows; who has the focus keeps it, however far it is scrolled away.
  places(parent) {
    const places = Array.from({ length: this.last - this.first }, (_, at) => this.first + at);
    const focused = parent.contains(document.activeElement) ? document.activeElement.parentElement : null;
    const name = focused?.dataset.node;
    const held = name ? this.rows.findIndex((row) => this.cycle.rows.names[row] === name) : -1;
    if (held >= 0 && held < this.first) places.unshift(held);
    if (held >= this.last) places.push(held);
    return places;
  }
}
