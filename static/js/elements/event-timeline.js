// Every event as a mark, in the order of the log, with the clock where it turns. On every page: whoever goes to a mark sees
// that page as it was then. The board has all three tracks, other pages and phones one line.
import { keyed, s, setProps, setText } from '../dom.js';
import { branch } from '../commands.js';
import { clock, count, plural } from '../format.js';
import { shape, times, undone, walk } from './timeline-marks.js';
import { signsOf } from './timeline-legend.js';
import { timelineFrame } from './timeline-frame.js';
import { TimelineHand } from './timeline-hand.js';
import { bindView, turn } from './timeline-keys.js';
import { OlderMarks, wholeLog } from './timeline-older.js';
import { momentOf, rememberKeys, wasByKeys } from './timeline-travel.js';
import { TimelineView } from './timeline-view.js';

const TRACKS = { events: 9, cycles: 26, moves: 43 };
const ROOMY = 8; // px from mark to mark at which signs have their full size

class EventTimeline extends HTMLElement {
  start(store, { base }) {
    this.store = store;
    this.base = base;
    this.small = this.dataset.size === 's' || matchMedia('(max-width: 600px)').matches;
    this.rules = s('g');
    this.ghost = s('line', { class: 'ghost', visibility: 'hidden' });
    this.marks = s('g');
    this.head = s('line', { class: 'head' });
    this.end = s('g', {}, s('line', { class: 'now' }), s('circle', { class: 'now-h', r: 4 }));
    this.plot = s('svg', { class: 'tl', role: 'group' }, this.rules, this.ghost, this.marks, this.head, this.end);
    this.view = new TimelineView();
    this.older = new OlderMarks(base);
    const { root, ...parts } = timelineFrame(this.plot, this.dataset.size === 's', () => branch(store, base), (by) => turn(this, by));
    Object.assign(this, parts);
    this.replaceChildren(root);
    bindView(this, base);
    this.plot.addEventListener('keydown', (event) => walk(this.plot, event));
    this.plot.addEventListener('click', rememberKeys);
    this.hand = new TimelineHand(this);
    [this.shown, this.place] = [[], () => 0];
    this.width = 0; // px, as it was last seen: asking here would have the page laid out in the middle of its changes
    new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width;
      if (this.state) this.update(this.state);
    }).observe(this.plot);
    wholeLog(store, base);
  }

  update(state) {
    this.state = state;
    const { width } = this;
    const head = Math.max(state.head_seq ?? 0, state.cluster.head_seq);
    const past = state.past && state.cluster.seq < head;
    setText(this.total, plural(head, 'event'));
    setText(this.time, clock(state.cluster.now_us, state.cluster.start_us, !this.small));
    setText(this.now.lastChild, past ? `event ${count(state.cluster.seq)}` : 'at now');
    this.now.className = past ? 'chip chip-warn' : 'chip chip-ok';
    if (!state.marks || !width || (state.marks === this.drawnMarks && width === this.drawnWidth)) return;
    [this.drawnMarks, this.drawnWidth] = [state.marks, width];
    this.draw(state, width, past, head);
  }

  draw({ marks: given, cluster }, width, past, last) {
    const marks = this.older.with(given);
    const { shown, at, atHead, place } = this.view.of(marks, past ? cluster.seq : Infinity, width);
    for (const [button, by] of this.zooms) button.disabled = !this.view.can(by);
    this.zoom.hidden = this.zooms.every(([button]) => button.disabled);
    const off = undone(marks);
    Object.assign(this, { shown, place, atHead });
    this.legend.show(signsOf(shown, off));
    this.lean = shown.length < 2 ? 1 : Math.min(1, (place(1) - place(0)) / ROOMY).toFixed(2); // signs that stand close are narrow
    const rule = (y, name) => s('line', { class: name, x1: 0, x2: width, y1: y, y2: y });
    const grid = () => [...times(shown, off, place, cluster, width), ...Object.values(TRACKS).map((y) => rule(y, 'grid'))];
    this.rules.replaceChildren(...(this.small ? [rule(10, 'base')] : grid()));
    const held = this.plot.contains(document.activeElement) ? document.activeElement : null;
    keyed(
      this.marks,
      shown.map((mark, at) => ({ mark, x: place(at), last: at === shown.length - 1, off: off.has(mark.seq) })),
      ({ mark }) => mark.seq,
      ({ mark }) => this.mark(mark),
      (link, { mark, x, last, off }) => this.put(link, mark, x, last, off),
    );
    if (held) (held.isConnected ? held : this.marks.lastChild)?.focus();
    else if (shown.length && wasByKeys()) this.marks.children[Math.max(0, Math.min(at, shown.length - 1))].focus();
    const end = Math.min(width - 6, place(shown.length - 1) + 8);
    const inSight = at < shown.length && (at >= 0 || this.view.seen.first === 0);
    this.stand = past ? (at < 0 ? 2 : place(at)) : end;
    setProps(this.end, { visibility: inSight ? null : 'hidden' });
    this.pin(this.stand);
    setProps(this.head, { x1: end, x2: end, ...this.tall(), visibility: past && atHead ? null : 'hidden' });
    this.plot.setAttribute(
      'aria-label',
      `${past ? `Event ${count(cluster.seq)} is shown. ` : ''}${atHead ? 'The last ' : ''}${shown.length} marks of ${plural(last, 'event')}. Enter on one shows this page as it was then, O opens the page of a cycle; arrow keys walk over them, a drag travels`,
    );
  }

  tall() {
    return { y1: this.small ? 1 : -2, y2: this.small ? 19 : 52 };
  }

  pin(x) {
    const [line, knob] = this.end.children;
    setProps(line, { x1: x, x2: x, ...this.tall() });
    setProps(knob, { cx: x, cy: this.small ? 10 : -2 });
  }

  redraw() {
    this.drawnMarks = null;
    this.update(this.state);
  }

  put(link, mark, x, last, off) {
    const y = this.small ? 10 : TRACKS[mark.track];
    setProps(link.firstChild, { transform: `translate(${x.toFixed(1)} ${y}) scale(${this.lean} ${this.small ? this.lean : 1})` });
    setProps(link, { tabindex: last ? '0' : '-1', 'data-undone': off, 'aria-label': words(mark, off) });
  }

  mark(mark) {
    const wide = mark.track === 'cycles' && !this.small;
    const link = s('a', { href: momentOf(this.base, mark.seq) }, s('g', {}, shape(mark.sign, wide)));
    link.mark = mark;
    return link;
  }
}

const words = (mark, off) =>
  `${mark.cycle ? `Cycle ${mark.cycle}` : `Event ${mark.seq}`}${off ? ', undone' : ''}: ${mark.title}`;

customElements.define('event-timeline', EventTimeline);
