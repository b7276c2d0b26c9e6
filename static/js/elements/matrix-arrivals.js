// Plays the arrivals of a phase step, one after the other, fast enough not to be waited for.
import { reducedMotion } from '../dom.js';
import { arrivals, without } from '../reveal.js';

const WHOLE_MS = 900;
const EACH_MS = 180;

export class Arrivals {
  // `redraw()`: asks for another picture.
  constructor(redraw) {
    Object.assign(this, { redraw, last: null, missing: [], timer: 0 });
  }

  // The cycle as it is to be drawn now.
  of(cycle) {
    if (cycle !== this.last) {
      this.missing = reducedMotion() ? [] : arrivals(this.last, cycle);
      this.last = cycle;
      clearTimeout(this.timer);
      this.pause = Math.min(EACH_MS, WHOLE_MS / (this.missing.length || 1));
      this.wait();
    }
    return without(cycle, this.missing);
  }

  wait() {
    if (!this.missing.length) return;
    this.timer = setTimeout(() => {
      this.missing = this.missing.slice(1);
      this.redraw();
      this.wait();
    }, this.pause);
  }
}
