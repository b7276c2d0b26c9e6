// The hand on the timeline: what it points at is told, where it clicks or lets go is travelled to.
import { setProps, setText } from '../dom.js';
import { clock, count } from '../format.js';
import { TimelineDrag, nearest } from './timeline-drag.js';
import { TimelineTip } from './timeline-tip.js';
import { momentOf, travel } from './timeline-travel.js';

export class TimelineHand {
  constructor(timeline) {
    const { plot, base } = timeline;
    this.timeline = timeline;
    this.tip = new TimelineTip(plot, { base, start: () => timeline.state.cluster.start_us });
    new TimelineDrag(plot, {
      find: (x) => nearest(x, timeline.shown.length, timeline.place),
      show: (at) => this.drag(at),
      preview: (at) => this.preview(at),
      go: (at) => this.go(at),
    });
  }

  // While it is dragged the marker stands at an event, and the chip says at which.
  drag(at) {
    const { timeline } = this;
    const mark = timeline.shown[at];
    this.preview(null);
    this.tip.hide();
    if (!mark) return timeline.redraw();
    setProps(timeline.end, { visibility: null });
    timeline.pin(timeline.place(at));
    setText(timeline.now.lastChild, `to event ${count(mark.seq)}, ${clock(mark.at_us, timeline.state.cluster.start_us)}`);
    timeline.now.className = 'chip chip-acc';
  }

  // Where a click would go.
  preview(at) {
    const { timeline } = this;
    const link = timeline.marks.keyedNodes?.get(timeline.shown[at]?.seq);
    const x = link && timeline.place(at);
    setProps(timeline.ghost, { visibility: link ? null : 'hidden', ...(link && { x1: x, x2: x, ...timeline.tall() }) });
    if (link) this.tip.show(link);
    else this.tip.later();
  }

  go(at) {
    const { base, shown, atHead } = this.timeline;
    travel(momentOf(base, atHead && at === shown.length - 1 ? null : shown[at].seq));
  }
}
