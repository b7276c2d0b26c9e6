// What a cell says in words, beside the cell and never over it; Esc, a scroll or the pointer's leaving takes it away.
import { h } from '../dom.js';
import { linesOf } from '../scores.js';

const GAP = 6;

export class MatrixTip {
  constructor() {
    this.node = h('div', { class: 'tooltip matrix-tip', role: 'tooltip', hidden: true });
    document.addEventListener('keydown', (event) => event.key === 'Escape' && this.hide(), { capture: true });
    addEventListener('scroll', () => this.scrolled(), { capture: true, passive: true });
  }

  // `cell`: its box on the screen, or the element that stands on it, which is followed.
  show(cycle, row, at, cell) {
    this.followed = cell instanceof Element ? cell : null;
    const [head, ...lines] = linesOf(cycle, row, at);
    this.node.replaceChildren(h('b', {}, head), ...lines.map((line) => h('div', {}, line)));
    this.node.hidden = false;
    this.put(this.followed?.getBoundingClientRect() ?? cell);
  }

  // To the right of the cell, or to its left where there is no room.
  put(box) {
    const { width, height } = this.node.getBoundingClientRect();
    const right = box.right + GAP + width <= innerWidth;
    const left = right ? box.right + GAP : Math.max(GAP, box.left - GAP - width);
    // A box as wide as the screen leaves no side: below it then, or above.
    const beside = right || box.left - GAP - width >= 0;
    const below = box.bottom + GAP + height <= innerHeight ? box.bottom + GAP : box.top - GAP - height;
    const top = beside ? Math.min(box.top, innerHeight - height - GAP) : below;
    this.node.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
  }

  scrolled() {
    if (this.node.hidden) return;
    if (this.followed) this.put(this.followed.getBoundingClientRect());
    else this.hide();
  }

  hide() {
    this.node.hidden = true;
  }
}
