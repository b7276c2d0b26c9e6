// When panels repaint: in the next frame for what a person did and what it led to, at most four times a second for what
// else the server says.
const SERVER_INTERVAL = 250;
const FROM_SERVER = new Set(['news', 'progress', 'loaded']);

export function paintOn(store, panels) {
  // A panel that measures goes before those that only write: else the page is laid out twice in a frame.
  const ordered = [...panels].sort((a, b) => Boolean(b.constructor.measures) - Boolean(a.constructor.measures));
  let frame = 0;
  let timer = 0;
  let last = -Infinity; // paint of something that the server said; a pressed button does not put its answer off
  let told = false;
  const paint = () => {
    frame = timer = 0;
    for (const panel of ordered) panel.update?.(store.state); // one may be defined later
    if (told) last = performance.now(); // counted from the end: a heavy page leaves the browser its time
    told = false;
  };
  const soon = () => {
    frame ||= requestAnimationFrame(() => {
      clearTimeout(timer);
      paint();
    });
  };
  store.addEventListener('change', (event) => {
    const server = FROM_SERVER.has(event.detail.type);
    told ||= server;
    if (frame) return;
    const wait = server && !awaited(store.state, event.detail) ? last + SERVER_INTERVAL - performance.now() : 0;
    if (wait <= 0) soon();
    else timer ||= setTimeout(soon, wait);
  });
  paint();
}

// The news of the command that a person gave last: it may come before or after the command's own answer.
const awaited = ({ command, cluster }, { type }) =>
  type === 'news' && (command.pending !== '' || cluster.seq <= command.seq);
