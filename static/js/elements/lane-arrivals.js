// Which cards changed their lane: each is told to readers once and marked for four seconds.
import { announce } from '../dom.js';
import { plural } from '../format.js';
import { LANES } from './queue-lane.js';

const ARRIVED_MS = 4000;
const NAMED = 5; // more are told as a number

export class Arrivals {
  // `ended`: called when a mark is over.
  constructor(ended) {
    this.ended = ended;
    this.where = new Map(); // pod → lane, as last seen
    this.marked = new Set();
  }

  // The pods that changed lane since other lanes were seen.
  // A card that is new is an arrival only where the whole lane is known: else it may have stood beyond the last card.
  of(lanes) {
    if (this.lanes === lanes) return [];
    this.lanes = lanes;
    const now = new Map(lanes.flatMap((lane) => lane.cards.map((card) => [card.key, lane.name])));
    const whole = new Set(lanes.filter((lane) => lane.count <= lane.cards.length).map((lane) => lane.name));
    const arrived = (key, lane) =>
      this.where.has(key) ? this.where.get(key) !== lane : whole.has(lane) && this.whole.has(lane);
    const moved = this.whole ? [...now].filter(([key, lane]) => arrived(key, lane)) : [];
    [this.where, this.whole] = [now, whole];
    this.mark(moved.filter(([, lane]) => lane !== 'in_flight'));
    return moved.map(([key]) => key);
  }

  mark(moved) {
    if (!moved.length) return;
    announce(
      moved.length <= NAMED
        ? moved.map(([key, lane]) => `${key} moved to ${LANES[lane][0]}`).join('. ')
        : plural(moved.length, 'pod changed its queue', 'pods changed their queue'),
    );
    for (const [key] of moved) this.marked.add(key);
    setTimeout(() => {
      for (const [key] of moved) this.marked.delete(key);
      this.ended();
    }, ARRIVED_MS);
  }
}
