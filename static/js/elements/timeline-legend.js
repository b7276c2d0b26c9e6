// What the signs of the timeline mean: only those that are to be seen; behind a button where the line has no room for them.
import { h, s } from '../dom.js';
import { shape } from './timeline-marks.js';

const CYCLES = new Set(['placed', 'refused']);
const SIGNS = [
  ['placed', 'placed'],
  ['refused', 'refused'],
  ['preemption', 'preemption'],
  ['error', 'error or warning'],
  ['node', 'node change'],
  ['object', 'other change'],
  ['move', 'queue move'],
  ['controller', 'controller'],
  ['held', 'subset unschedulable'],
  ['back', 'subset back'],
  ['scenario', 'scenario'],
  ['undo', 'undo or redo'],
  ['undone', 'undone'],
];
const KNOWN = new Set(SIGNS.map(([sign]) => sign));
const UNDONE = 'An undo took it back: it is in the log, and does not count';

// Those of the marks, in the order of the legend. `off`: the seqs that an undo took back.
export function signsOf(marks, off) {
  const found = new Set(marks.map(({ sign }) => (KNOWN.has(sign) ? sign : 'object')));
  if (marks.some(({ seq }) => off.has(seq))) found.add('undone');
  return SIGNS.map(([sign]) => sign).filter((sign) => found.has(sign));
}

// Cycles are bars where they have a track of their own: filled where a node was found, hollow where none was.
function entry([sign, text]) {
  const off = sign === 'undone';
  const drawn = s('g', { 'data-undone': off }, off ? shape('placed', true) : shape(sign, CYCLES.has(sign)));
  return h('span', { title: off ? UNDONE : null }, s('svg', { viewBox: '-6 -6 12 12', class: 'tl', 'aria-hidden': 'true' }, drawn), text);
}

export class TimelineLegend {
  constructor() {
    this.line = h('div', { class: 'event-key' });
    this.list = h('div', { class: 'menu-list event-key' });
    this.fold = h('details', { class: 'menu', hidden: true }, h('summary', { class: 'button button-quiet' }, 'Signs'), this.list);
    this.root = h('div', { class: 'event-legend hide-m' }, this.line, this.fold);
    this.fold.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.fold.open) return;
      event.stopPropagation();
      this.fold.open = false;
      this.fold.firstElementChild.focus();
    });
    this.fold.addEventListener('focusout', ({ relatedTarget: next }) => {
      if (next && !this.fold.contains(next)) this.fold.open = false;
    });
    new ResizeObserver(() => this.fit()).observe(this.root);
  }

  show(signs) {
    const key = signs.join();
    if (key === this.drawn) return;
    this.drawn = key;
    const entries = SIGNS.filter(([sign]) => signs.includes(sign));
    this.line.replaceChildren(...entries.map(entry));
    this.list.replaceChildren(...entries.map(entry));
    requestAnimationFrame(() => this.fit());
  }

  // The line stays in the layout, unseen, so that it can be asked whether there is room again.
  fit() {
    const folds = this.line.scrollWidth > this.root.clientWidth + 1;
    this.line.classList.toggle('unseen', folds);
    this.fold.hidden = !folds;
  }
}
