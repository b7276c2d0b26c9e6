// Every event as a mark, in the order of the log, with the clock where it turns. On every page: whoever goes to a mark sees
// that page as it was then. The board has all three tracks, other pages and phones one line.
import { keyed, s, setProps, setText } from '../dom.js';
import { branch } from '../commands.js';
import { clock, count, plural } from '../format.js';
import { part, shape, times, undone, walk } from './timeline-marks.js';
import { timelineFrame } from './timeline-frame.js';
import { TimelineDrag, nearest } from './timeline-drag.js';
import { TimelineTip } from './timeline-tip.js';

const TRACKS = { events: 9, cycles: 26, moves: 43 };
const MARK_WIDTH = 9; // px that a mark needs
const OF_ONE_CYCLE = /\/cycles\/\d+\/$/; // a page that says the same at every event, and nothing before its cycle

class EventTimeline extends HTMLElement {
  start(store, { base }) {
    this.store = store;
    this.base = base;
    this.small = this.dataset.size === 's' || matchMedia('(max-width: 600px)').matches;
    this.rules = s('g');
    this.marks = s('g');
    this.head = s('line', { class: 'head' });
    this.end = s('g', {}, s('line', { class: 'now' }), s('circle', { class: 'now-h', r: 4 }));
    this.plot = s('svg', { class: 'tl', role: 'group' }, this.rules, this.marks, this.head, this.end);
    const { root, ...parts } = timelineFrame(this.plot, this.dataset.size === 's', () => branch(store, base));
    Object.assign(this, parts);
    this.replaceChildren(root);
    this.plot.addEventListener('keydown', (event) => walk(this.plot, event));
    this.tip = new TimelineTip(this.plot, { base, start: () => this.state.cluster.start_us });
    new TimelineDrag(this.plot, {
      find: (x) => nearest(x, this.shown.length, this.place),
      show: (at) => this.hover(at),
      go: (at) => this.travel(at),
    });
    [this.shown, this.place] = [[], () => 0];
    this.width = 0; // px, as it was last seen: asking here would have the page laid out in the middle of its changes
    new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width;
      if (this.state) this.update(this.state);
    }).observe(this.plot);
    this.fetchMarks(store);
  }

  // A page that was not given the marks of the whole log asks for them once it stands.
  async fetchMarks(store) {
    const { marks, cluster, past } = store.state;
    if (marks && !(past && cluster.seq === cluster.head_seq)) return;
    const answer = await fetch(`${this.base}marks.json`).catch(() => null);
    if (!answer?.ok) return;
    const part = await answer.json();
    if (!past && part.head_seq < store.state.cluster.seq) return this.fetchMarks(store); // news came meanwhile
    store.dispatch({ type: 'part', part });
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

  draw({ marks, cluster }, width, past, last) {
    const room = Math.max(8, Math.floor((width - 24) / MARK_WIDTH));
    const { shown, at, atHead } = part(marks, past ? cluster.seq : Infinity, room);
    const place = (at) => (shown.length < 2 ? 8 : 8 + (at * (width - 24)) / Math.max(shown.length, 24));
    const off = undone(marks);
    Object.assign(this, { shown, place, atHead });
    const rule = (y, name) => s('line', { class: name, x1: 0, x2: width, y1: y, y2: y });
    const grid = () => [...times(shown, off, place, cluster, width), ...Object.values(TRACKS).map((y) => rule(y, 'grid'))];
    this.rules.replaceChildren(...(this.small ? [rule(10, 'base')] : grid()));
    const focused = this.plot.contains(document.activeElement);
    keyed(
      this.marks,
      shown.map((mark, at) => ({ mark, x: place(at), last: at === shown.length - 1, off: off.has(mark.seq) })),
      ({ mark }) => mark.seq,
      ({ mark }) => this.mark(mark),
      (link, { mark, x, last, off }) => this.put(link, mark, x, last, off),
    );
    if (focused) this.marks.lastChild?.focus();
    const end = Math.min(width - 6, place(shown.length - 1) + 8);
    const stand = past ? (at < 0 ? 2 : place(at)) : end;
    this.stand = stand;
    this.pin(stand);
    setProps(this.head, { x1: end, x2: end, ...this.tall(), visibility: past && atHead ? null : 'hidden' });
    this.plot.setAttribute(
      'aria-label',
      `${past ? `Event ${count(cluster.seq)} is shown. ` : ''}${atHead ? 'The last ' : ''}${shown.length} of ${plural(last, 'event')}. Enter on one shows this page as it was then, O opens the page of a cycle; arrow keys walk over them, a drag travels`,
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

  // While it is dragged the marker stands at an event, and the chip says at which.
  hover(at) {
    const mark = this.shown[at];
    this.tip.hide();
    this.pin(mark ? this.place(at) : this.stand);
    if (!mark) return this.update(this.state);
    setText(this.now.lastChild, `to event ${count(mark.seq)}, ${clock(mark.at_us, this.state.cluster.start_us)}`);
    this.now.className = 'chip chip-acc';
  }

  travel(at) {
    const now = this.atHead && at === this.shown.length - 1;
    location.href = now ? this.address() : this.address(this.shown[at].seq);
  }

  // This page as it was at `seq`, with what is searched and sorted on it; the page of a cycle gives way to the board.
  address(seq = null) {
    const url = new URL(OF_ONE_CYCLE.test(location.pathname) ? this.base : location.href, location.href);
    url.searchParams.delete('page');
    if (seq === null) url.searchParams.delete('at');
    else url.searchParams.set('at', seq);
    return url.pathname + url.search;
  }

  put(link, mark, x, last, off) {
    const y = this.small ? 10 : TRACKS[mark.track];
    setProps(link.firstChild, { transform: `translate(${x.toFixed(1)} ${y})` });
    setProps(link, { tabindex: last ? '0' : '-1', 'data-undone': off, 'aria-label': words(mark, off) });
  }

  mark(mark) {
    const wide = mark.track === 'cycles' && !this.small;
    const link = s('a', { href: this.address(mark.seq) }, s('g', {}, shape(mark.sign, wide)));
    link.mark = mark;
    return link;
  }
}

const words = (mark, off) =>
  `${mark.cycle ? `Cycle ${mark.cycle}` : `Event ${mark.seq}`}${off ? ', undone' : ''}: ${mark.title}`;

customElements.define('event-timeline', EventTimeline);
