// What moves the stretch of the timeline that is seen: keys, and a wheel that is turned sideways or held with Ctrl.
import { bind } from '../keys.js';
import { momentOf, travel } from './timeline-travel.js';

const WHEEL_PX = 60; // for one step

// Closer (1) or farther (-1).
export function turn(timeline, by) {
  timeline.view.turn(by);
  timeline.redraw();
}

// Before what is seen there may be marks that the page was not given.
async function pan(timeline, way) {
  const moved = timeline.view.pan(way);
  const older = !moved && way < 0 && (await timeline.older.more(timeline.older.with(timeline.state.marks)));
  timeline.redraw();
  if (older && timeline.view.pan(way)) timeline.redraw();
}

export function bindView(timeline, base) {
  wheel(timeline);
  if (!timeline.closest('.foot')) return; // one of several
  bind('A', 'timeline: earlier', () => pan(timeline, -1));
  bind('D', 'timeline: later', () => pan(timeline, 1));
  bind('+', 'timeline: closer', () => turn(timeline, 1));
  bind('=', '', () => turn(timeline, 1)); // the same key without Shift
  bind('-', 'timeline: more of it', () => turn(timeline, -1));
  // Where the page scrolls, Home is for that.
  if (timeline.dataset.size !== 's') bind('Home', 'the first moment: the cluster as it was made', () => first(base));
}

async function first(base) {
  const answer = await fetch(`${base}marks.json`).catch(() => null);
  if (answer?.ok) travel(momentOf(base, (await answer.json()).first_seq));
}

function wheel(timeline) {
  let turned = 0;
  timeline.plot.addEventListener(
    'wheel',
    (event) => {
      const { deltaX, deltaY, shiftKey, ctrlKey } = event;
      const across = Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : shiftKey ? deltaY : 0;
      if (!ctrlKey && !across) return;
      event.preventDefault();
      turned += ctrlKey ? deltaY : across;
      if (Math.abs(turned) < WHEEL_PX) return;
      if (ctrlKey) turn(timeline, turned > 0 ? -1 : 1);
      else pan(timeline, turned > 0 ? 1 : -1);
      turned = 0;
    },
    { passive: false },
  );
}
