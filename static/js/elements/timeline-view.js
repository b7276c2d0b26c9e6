// Which stretch of the marks is drawn: how close they stand, and where it is. By itself it is around the shown event.
import { part } from './timeline-marks.js';

const PITCHES = [3, 5, 9, 18, 36]; // px from mark to mark, at least
const USUAL = 2;
const EDGES = 24; // px beside the marks, both together
const FEW = 24; // fewer marks than this are not spread over the whole width

export class TimelineView {
  zoom = USUAL;
  middle = null; // seq of the mark in the middle; null: around the shown event

  room(width, zoom = this.zoom) {
    return Math.max(8, Math.floor((width - EDGES) / PITCHES[zoom]));
  }

  // What `part` says of it, and `place(at)`: px of a mark. `seq`: the shown event, Infinity for now.
  of(marks, seq, width) {
    const room = this.room(width);
    const seen = part(marks, seq, room, this.middle);
    const spread = Math.max(seen.shown.length, Math.min(FEW, room));
    seen.place = (at) => (seen.shown.length < 2 ? 8 : 8 + (at * (width - EDGES)) / spread);
    Object.assign(this, { marks, seq, width, seen });
    return seen;
  }

  // By half of what is seen; whether there was anything more.
  pan(way) {
    const { shown, first } = this.seen;
    this.stand(first + Math.floor(shown.length / 2) + way * Math.max(1, Math.floor(shown.length / 2)));
    return way < 0 ? first > 0 : first + shown.length < this.marks.length;
  }

  // Closer (1) or farther (-1), around the shown event where it is in sight.
  turn(by) {
    if (!this.can(by)) return;
    const { shown, first, at } = this.seen;
    this.zoom += by;
    this.stand(first + (at >= 0 && at < shown.length ? at : Math.floor(shown.length / 2)));
  }

  stand(index) {
    const half = Math.floor(this.room(this.width) / 2);
    const last = this.marks.length - 1;
    const at = Math.max(Math.min(half, last), Math.min(index, last - half));
    this.middle = this.seq === Infinity && at + half >= last ? null : this.marks[at].seq;
  }

  // Whether more would be seen from farther away, or less from closer.
  can(by) {
    if (!this.seen || !PITCHES[this.zoom + by]) return false;
    return this.marks.length > this.room(this.width, this.zoom + Math.max(0, by));
  }
}
