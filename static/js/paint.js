// When panels repaint: whole in the next frame for what a person did and what it led to; at most four times a second, and
// in parts, for what else the server says and the clock's own ticks. The store hears `painted` at the end.
const SERVER_INTERVAL = 250; // ms
const PART = 6; // ms of a frame: style, layout and picture of what was painted come on top
const UNASKED = new Set(['news', 'progress', 'loaded', 'tick']);

export function paintOn(store, panels) {
  // A panel that measures goes before those that only write: else the page is laid out twice in a frame.
  const ordered = [...panels].sort((a, b) => Boolean(b.constructor.measures) - Boolean(a.constructor.measures));
  let left = [...ordered]; // whom this pass has still to paint
  let begun = null; // what the first of them, which paints in `parts`, has still to do
  let frame = 0;
  let timer = 0;
  let last = -Infinity; // end of a pass with something unasked; a pressed button does not put the server's answer off
  let told = false;
  let whole = true;
  let again = false; // something unasked came that those who are painted already have not seen
  const soon = () => {
    frame ||= requestAnimationFrame(paint);
  };
  const step = () => {
    const [panel] = left;
    if (panel.parts) {
      begun ??= panel.parts(store.state);
      if (!begun.next().done) return;
      begun = null;
    } else panel.update?.(store.state); // one may be defined later
    left.shift();
  };
  const paint = () => {
    frame = 0;
    clearTimeout(timer);
    timer = 0;
    const until = whole ? Infinity : performance.now() + PART;
    do step();
    while (left.length && performance.now() < until);
    if (left.length) soon();
    else end();
  };
  const end = () => {
    left = [...ordered];
    if (told) last = performance.now(); // a heavy page leaves the browser its time
    if (again) timer = setTimeout(soon, SERVER_INTERVAL);
    told = again;
    whole = again = false;
    store.dispatchEvent(new Event('painted'));
  };
  store.addEventListener('change', (event) => {
    const unasked = UNASKED.has(event.detail.type);
    const painting = left.length < ordered.length;
    told ||= unasked;
    if (!unasked || awaited(store.state, event.detail)) {
      whole = true;
      [left, begun] = [[...ordered], null];
      soon();
    } else if (painting) again = true;
    else if (!frame) wait(last + SERVER_INTERVAL - performance.now());
  });
  const wait = (ms) => {
    if (ms <= 0) soon();
    else timer ||= setTimeout(soon, ms);
  };
  paint();
}

// The news of the command that a person gave last: it may come before or after the command's own answer.
const awaited = ({ command, cluster }, { type }) =>
  type === 'news' && (command.pending !== '' || cluster.seq <= command.seq);
