// Arrow keys in the table twin: of its cells one is a stop of Tab, the one that was visited last.
import { moved } from './matrix-cursor.js';

export class TwinWalk {
  constructor(host) {
    this.host = host;
    this.place = { name: '', x: 0 };
    host.addEventListener('keydown', (event) => this.key(event));
    host.addEventListener('focusin', ({ target }) => target.matches('.cell-open') && this.visit(target));
  }

  // After the table was made anew.
  settle() {
    for (const cell of this.host.querySelectorAll('.cell-open')) cell.tabIndex = -1;
    const cell = this.cell(this.place) ?? this.host.querySelector('.cell-open');
    if (cell) cell.tabIndex = 0;
  }

  cell({ name, x }) {
    return this.host.querySelector(`tr[data-node="${CSS.escape(name)}"] .cell-open[data-at="${x}"]`);
  }

  visit(cell) {
    const held = this.host.querySelector('.cell-open[tabindex="0"]');
    if (held) held.tabIndex = -1;
    cell.tabIndex = 0;
    this.place = { name: cell.closest('tr').dataset.node, x: Number(cell.dataset.at) };
  }

  key(event) {
    const cell = event.target.closest('.cell-open');
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...this.host.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('.cell-open')]);
    const y = rows.findIndex((row) => row.includes(cell));
    const place = moved(event.key, { y, x: rows[y].indexOf(cell) }, rows.length, rows[y].length);
    if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    rows[place.y][place.x]?.focus();
  }

  // {name, x} of the cell that has the focus, if one has.
  held() {
    const focused = document.activeElement;
    return focused?.matches('.cell-open') && this.host.contains(focused) ? this.place : null;
  }

  // At a node and algorithm; where that has no button, at its row; else at the table.
  focus(name = this.place.name, x = this.place.x) {
    const row = this.host.querySelector(`tr[data-node="${CSS.escape(name)}"]`);
    const first = row ?? this.host.querySelector('tbody');
    (this.cell({ name, x }) ?? first?.querySelector('.cell-open, a'))?.focus();
  }
}
