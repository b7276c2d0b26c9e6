// The signs of the timeline, and the clock under them.
import { s } from '../dom.js';
import { clock } from '../format.js';

const LABEL_WIDTH = 104;
const MILLIS_BELOW_US = 20_000_000; // a span this short is told in milliseconds
export function shape(sign, wide = false) {
  if (wide && sign !== 'preemption' && sign !== 'error')
    return sign === 'placed'
      ? s('rect', { class: 'cyc-ok', x: -3, y: -5, width: 6, height: 10, rx: 1 })
      : s('rect', { class: 'cyc-no', x: -2.25, y: -4.25, width: 4.5, height: 8.5, rx: 1 });
  switch (sign) {
    case 'placed':
      return s('circle', { class: 'ok-m', r: 3 });
    case 'refused':
    case 'error':
      return s('path', { class: 'no-m', d: 'm-3-3 6 6m0-6-6 6' });
    case 'preemption':
      return s('path', { class: 'pre-m', d: 'm-3.5 2 3.5-4 3.5 4' });
    case 'node':
      return s('path', { class: 'node-m', d: 'M-3-3h6v6h-6z' });
    case 'move':
      return s('rect', { class: 'move-m', x: -1, y: -3, width: 2, height: 6 });
    case 'scenario':
      return s('path', { class: 'scenario-m', d: 'M-2.5-3.5 3.5 0-2.5 3.5z' });
    case 'controller':
      return s('circle', { class: 'object-m', r: 2.75 });
    case 'held':
      return s('path', { class: 'no-m', d: 'M3.5 0a3.5 3.5 0 1 1-7 0a3.5 3.5 0 1 1 7 0zM-3.5 0h7' });
    case 'back':
      return s('path', { class: 'back-m', d: 'M3.5 0a3.5 3.5 0 1 1-7 0a3.5 3.5 0 1 1 7 0zM-1.5 0l1.2 1.4 2-2.6' });
    case 'undo':
      return s('path', { class: 'pre-m', d: 'M2.5-3.5-2.5 0l5 3.5' });
    default:
      return s('path', { class: 'object-m', d: 'M0-3.5 3.5 0 0 3.5-3.5 0z' });
  }
}

// What there is room for, around the shown event or around `middle` (a seq), and where among it the shown event stands: -1 is
// before the first. `first`: where it begins in `marks`.
export function part(marks, seq, room, middle = null) {
  const before = (at) => marks.findLastIndex((mark) => mark.seq <= at);
  const at = before(seq);
  const around = middle === null ? at : before(middle);
  const first = Math.max(0, Math.min(marks.length - room, around - Math.floor(room / 2)));
  const shown = marks.slice(first, first + room);
  return { shown, at: at - first, first, atHead: first + shown.length === marks.length };
}

// The events that do not count any more: `seq` of marks between an undo and where it went back to.
export function undone(marks) {
  const found = new Set();
  let back = Infinity; // an undo further on went back to here
  for (let at = marks.length - 1; at >= 0; at -= 1) {
    const { seq, to_seq: to } = marks[at];
    if (seq > back) found.add(seq);
    else back = to ?? Infinity;
  }
  return found;
}

// The clock under the marks that count, where it turned and there is room.
export function times(all, off, place, cluster, width) {
  const shown = all.filter((mark) => !off.has(mark.seq));
  const fine = shown.length > 0 && shown.at(-1).at_us - shown[0].at_us < MILLIS_BELOW_US;
  const parts = [];
  let next = 0;
  let last = null;
  all.forEach((mark, at) => {
    if (off.has(mark.seq)) return;
    const text = clock(mark.at_us, cluster.start_us, fine);
    if (text === last || place(at) < next || place(at) + LABEL_WIDTH > width + 16) return;
    parts.push(
      s('line', { class: 'grid', x1: place(at), x2: place(at), y1: 0, y2: 50 }),
      s('text', { x: place(at), y: 62, dx: 3 }, text),
    );
    [last, next] = [text, place(at) + LABEL_WIDTH];
  });
  return parts;
}

// Arrow keys go from mark to mark; the one that was visited last is the stop of Tab.
export function walk(plot, event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const links = [...plot.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (!step || at < 0) return;
  event.preventDefault();
  const next = links[Math.min(links.length - 1, Math.max(0, at + step))];
  links[at].setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
}
