// Arrow keys in the column of totals: right of the last cell of a row stands its total, which opens like any cell.
import { moved } from './matrix-cursor.js';
import { TOTAL } from './matrix-twin.js';

export class TotalsWalk {
  // `cursor`: of the cells; it hands over to here at the end of a row, and takes over at its beginning.
  constructor(host, cursor) {
    Object.assign(this, { host, cursor });
    cursor.beyond = (name) => this.focus(name);
    host.addEventListener('keydown', (event) => this.key(event));
  }

  button(name) {
    return this.host.querySelector(`[data-node="${CSS.escape(name)}"] .cell-open`);
  }

  focus(name) {
    const button = this.button(name);
    if (!button?.textContent) return false;
    button.focus({ preventScroll: true });
    button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    return true;
  }

  // {name, x} of the total that has the focus, if one has.
  held() {
    const row = this.host.contains(document.activeElement) ? document.activeElement.closest('[data-node]') : null;
    return row && { name: row.dataset.node, x: TOTAL };
  }

  key(event) {
    const held = this.held();
    if (!held || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') return document.activeElement.blur();
    const { cycle, view } = this.cursor;
    const y = view.order.findIndex((row) => cycle.rows.names[row] === held.name);
    const place = moved(event.key, { y, x: 1 }, view.order.length, 2);
    if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    const name = cycle.rows.names[view.order[place.y]];
    if (place.x) this.focus(name);
    else this.cursor.focus(name, event.key === 'Home' || view.layer === 'total' ? 0 : cycle.algorithms.length - 1);
  }
}
