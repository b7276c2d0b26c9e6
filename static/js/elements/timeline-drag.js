// The timeline as a scrubber: hovering shows the event that is nearest, a click travels there, and so does letting go of a
// drag; Esc does not.
const FROM_PX = 4; // less is a click

// The place, among `count` places at `place(at)` px in rising order, that is nearest to `x`.
export function nearest(x, count, place) {
  let best = 0;
  for (let at = 1; at < count; at += 1) if (Math.abs(place(at) - x) < Math.abs(place(best) - x)) best = at;
  return count ? best : -1;
}

export class TimelineDrag {
  // `find(x)`: the event's place; `show(at | null)`: put the marker there, or back; `preview(at | null)`: say what is there;
  // `go(at)`: travel.
  constructor(plot, { find, show, preview, go }) {
    Object.assign(this, { plot, find, show, preview, go, from: null, at: null });
    plot.addEventListener('pointerdown', (event) => this.press(event));
    plot.addEventListener('pointermove', (event) => this.move(event));
    plot.addEventListener('pointerleave', () => this.preview(null));
    plot.addEventListener('pointerup', () => this.end(true));
    plot.addEventListener('pointercancel', () => this.end(false));
    plot.addEventListener('dragstart', (event) => event.preventDefault()); // a mark is a link
    plot.addEventListener('click', (event) => this.click(event), { capture: true });
    document.addEventListener('keydown', (event) => event.key === 'Escape' && this.end(false));
  }

  press(event) {
    this.dragged = false;
    if (event.button === 0) this.from = event.clientX;
  }

  place(event) {
    return this.find(event.clientX - this.plot.getBoundingClientRect().left);
  }

  move(event) {
    if (this.from === null) return event.pointerType === 'touch' ? null : this.preview(this.place(event));
    if (!this.dragged && Math.abs(event.clientX - this.from) < FROM_PX) return null;
    if (!this.dragged) this.plot.setPointerCapture(event.pointerId);
    this.dragged = true;
    this.at = this.place(event);
    return this.show(this.at);
  }

  // A mark is a link and goes by itself; between marks it is to the nearest.
  click(event) {
    if (this.dragged) return event.preventDefault();
    if (event.target.closest('a') || event.ctrlKey || event.metaKey || event.shiftKey) return null;
    const at = this.place(event);
    return at < 0 ? null : this.go(at);
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
