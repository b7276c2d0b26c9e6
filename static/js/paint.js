// When panels repaint: at once for what a person did, in one frame and at most four times a second for what the server said.
const SERVER_INTERVAL = 250;
const FROM_SERVER = new Set(['news', 'progress', 'loaded']);

export function paintOn(store, panels) {
  let frame = 0;
  let timer = 0;
  let last = -Infinity; // paint of something that the server said; a pressed button does not put its answer off
  let told = false;
  const paint = () => {
    frame = timer = 0;
    for (const panel of panels) panel.update(store.state);
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
    const wait = server ? last + SERVER_INTERVAL - performance.now() : 0;
    if (wait <= 0) soon();
    else timer ||= setTimeout(soon, wait);
  });
  paint();
}
