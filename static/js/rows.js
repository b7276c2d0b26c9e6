// `J` and `K`: the next and the previous row of a list, card of a lane or cell of a list of nodes.
import { bind } from './keys.js';

const ROWS = 'main :is(.pod-card[data-key], .node-tile, tbody > tr, .why-row, [data-row])';
const LISTS = '.pane, table, section, ul';
const INSIDE = 'a[href], button:not([disabled]), [tabindex="0"]';

// What has the focus when a row is reached: the row, or the first in it that can have it.
const stop = (row) => (row.matches('a, button, [tabindex]') ? row : row.querySelector(INSIDE));

// Rows of one list: that where the focus is, else the first of the page.
function rowsOf(held) {
  const all = [...document.querySelectorAll(ROWS)].filter((row) => row.checkVisibility() && stop(row));
  const list = (held ?? all[0])?.closest(LISTS);
  return all.filter((row) => row.closest(LISTS) === list);
}

function go(by) {
  const held = document.activeElement.closest(ROWS);
  const rows = rowsOf(held);
  const at = held ? rows.indexOf(held) + by : 0;
  const row = rows[Math.max(0, Math.min(rows.length - 1, at))];
  if (!row) return;
  stop(row).focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}

export function startRows() {
  if (!document.querySelector('main :is(queue-lanes, lane-table, tbody, node-grid)')) return;
  bind('J', 'next row or card', () => go(1));
  bind('K', 'previous row or card', () => go(-1));
}
