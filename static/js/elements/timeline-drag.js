// Dragging along the timeline: the marker follows to the nearest event; letting go travels there, Esc does not.
const FROM_PX = 4; // less is a click

// The place, among `count` places at `place(at)` px in rising order, that is nearest to `x`.
export function nearest(x, count, place) {
  let best = 0;
  for (let at = 1; at < count; at += 1) if (Math.abs(place(at) - x) < Math.abs(place(best) - x)) best = at;
  return count ? best : -1;
}

export class TimelineDrag {
  // `find(x)`: the event's place; `show(at | null)`: put the marker there, or back; `go(at)`: travel.
  constructor(plot, { find, show, go }) {
    Object.assign(this, { plot, find, show, go, from: null, at: null });
    plot.addEventListener('pointerdown', (event) => this.press(event));
    plot.addEventListener('pointermove', (event) => this.move(event));
    plot.addEventListener('pointerup', () => this.end(true));
    plot.addEventListener('pointercancel', () => this.end(false));
    plot.addEventListener('dragstart', (event) => event.preventDefault()); // a mark is a link
    plot.addEventListener('click', (event) => this.dragged && event.preventDefault(), { capture: true });
    document.addEventListener('keydown', (event) => event.key === 'Escape' && this.end(false));
  }

  press(event) {
    this.dragged = false;
    if (event.button === 0) this.from = event.clientX;
  }

  move(event) {
    if (this.from === null) return;
    if (!this.dragged && Math.abs(event.clientX - this.from) < FROM_PX) return;
    if (!this.dragged) this.plot.setPointerCapture(event.pointerId);
    this.dragged = true;
    this.at = this.find(event.clientX - this.plot.getBoundingClientRect().left);
    this.show(this.at);
  }

  end(travel) {
    if (this.from === null) return;
    const { at } = this;
    [this.from, this.at] = [null, null];
    if (!this.dragged) return;
    if (travel && at !== null && at >= 0) this.go(at);
    else this.show(null);
  }
}
