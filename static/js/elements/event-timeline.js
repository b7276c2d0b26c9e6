// Every event as a mark, in the order of the log, with the clock where it turns. A cycle opens its page, another
// event the board as it was then.
import { h, keyed, s, setProps, setText } from '../dom.js';
import { clock, count, plural } from '../format.js';
import { key, part, shape, times, walk } from './timeline-marks.js';
import { TimelineDrag, nearest } from './timeline-drag.js';

const TRACKS = { events: 9, cycles: 26, moves: 43 };
const MARK_WIDTH = 9; // px that a mark needs

class EventTimeline extends HTMLElement {
  start(store, { base }) {
    this.base = base;
    this.small = this.dataset.size === 's';
    this.rules = s('g');
    this.marks = s('g');
    this.head = s('line', { class: 'head' });
    this.end = s('g', {}, s('line', { class: 'now' }), s('circle', { class: 'now-h', r: 4 }));
    this.plot = s('svg', { class: 'tl', role: 'group' }, this.rules, this.marks, this.head, this.end);
    this.total = h('span', { class: 'dim hide-s' });
    this.now = h('span', { class: 'chip chip-ok' }, h('i', { class: 'dot' }), h('span', {}, 'at now'));
    this.time = h('span', { class: 'mono only-m' });
    this.root = this.small
      ? h('div', { class: 'time-foot' }, this.time, this.plot, this.total, this.now)
      : h(
          'section',
          { class: 'event-timeline', 'aria-label': 'Timeline' },
          h(
            'div',
            { class: 'event-timeline-head' },
            h('b', { class: 'hide-s' }, 'Timeline'),
            h('div', { class: 'event-key hide-m' }, key()),
            this.mobileControls(),
            h('span', { class: 'push' }),
            this.time,
            this.total,
            this.now,
          ),
          h('div', { class: 'event-timeline-plot' }, this.plot),
        );
    this.replaceChildren(this.root);
    this.plot.addEventListener('keydown', (event) => walk(this.plot, event));
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
  }

  // On a phone the transport stands at the thumb.
  mobileControls() {
    return h('run-controls', { class: 'only-m' });
  }

  update(state) {
    this.state = state;
    const { width } = this;
    const past = state.cluster.seq < state.cluster.head_seq && state.past;
    setText(this.total, plural(state.cluster.head_seq, 'event'));
    setText(this.time, clock(state.cluster.now_us, state.cluster.start_us));
    setText(this.now.lastChild, past ? `event ${count(state.cluster.seq)}` : 'at now');
    this.now.className = past ? 'chip chip-warn' : 'chip chip-ok';
    if (!state.marks || !width || (state.marks === this.drawnMarks && width === this.drawnWidth)) return;
    [this.drawnMarks, this.drawnWidth] = [state.marks, width];
    this.draw(state, width, past);
  }

  draw({ marks, cluster }, width, past) {
    const room = Math.max(8, Math.floor((width - 24) / MARK_WIDTH));
    const { shown, at, atHead } = part(marks, past ? cluster.seq : Infinity, room);
    const place = (at) => (shown.length < 2 ? 8 : 8 + (at * (width - 24)) / Math.max(shown.length, 24));
    Object.assign(this, { shown, place, atHead });
    const rule = (y, name) => s('line', { class: name, x1: 0, x2: width, y1: y, y2: y });
    this.rules.replaceChildren(
      ...(this.small
        ? [rule(10, 'base')]
        : [...times(shown, place, cluster, width), ...Object.values(TRACKS).map((y) => rule(y, 'grid'))]),
    );
    const focused = this.plot.contains(document.activeElement);
    keyed(
      this.marks,
      shown.map((mark, at) => ({ mark, x: place(at), last: at === shown.length - 1 })),
      ({ mark }) => mark.seq,
      ({ mark }) => this.mark(mark),
      (link, { mark, x, last }) => this.put(link, mark, x, last),
    );
    if (focused) this.marks.lastChild?.focus();
    const head = Math.min(width - 6, place(shown.length - 1) + 8);
    const stand = past ? (at < 0 ? 2 : place(at)) : head;
    this.stand = stand;
    this.pin(stand);
    setProps(this.head, { x1: head, x2: head, ...this.tall(), visibility: past && atHead ? null : 'hidden' });
    this.plot.setAttribute(
      'aria-label',
      `${past ? `Event ${count(cluster.seq)} is shown. ` : ''}${atHead ? 'The last ' : ''}${shown.length} of ${count(cluster.head_seq)} events. A cycle opens its page, another event the board as it was then; arrow keys walk over them, a drag travels`,
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
    this.pin(mark ? this.place(at) : this.stand);
    if (!mark) return this.update(this.state);
    setText(this.now.lastChild, `to event ${count(mark.seq)}, ${clock(mark.at_us, this.state.cluster.start_us)}`);
    this.now.className = 'chip chip-acc';
  }

  travel(at) {
    const now = this.atHead && at === this.shown.length - 1;
    location.href = now ? this.base : `${this.base}?at=${this.shown[at].seq}`;
  }

  put(link, mark, x, last) {
    const y = this.small ? 10 : TRACKS[mark.track];
    setProps(link.firstChild, { transform: `translate(${x.toFixed(1)} ${y})` });
    setProps(link, { tabindex: last ? '0' : '-1' });
  }

  mark(mark) {
    const wide = mark.track === 'cycles' && !this.small;
    const sign = s('g', {}, s('title', {}, `${mark.seq}: ${mark.title}`), shape(mark.sign, wide));
    const place = mark.cycle ? `cycles/${mark.cycle}/` : `?at=${mark.seq}`;
    const words = mark.cycle ? `Cycle ${mark.cycle}` : `Event ${mark.seq}`;
    return s('a', { href: this.base + place, 'aria-label': `${words}: ${mark.title}` }, sign);
  }
}

customElements.define('event-timeline', EventTimeline);
