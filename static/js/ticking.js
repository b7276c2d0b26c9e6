// While a run at a speed has nothing to tell, its virtual clock goes on all the same: by speed × real time.
const INTERVAL = 250; // ms
const HEARD = new Set(['news', 'loaded']);

// Virtual µs, `ms` of real time after the cluster said `now_us`; null where time does not pass by itself.
export function presentUs({ wanted, speed, now_us: now }, ms) {
  return wanted === 'running' && speed > 0 ? now + Math.round(ms * 1000 * speed) : null;
}

export function startTicking(store) {
  let said = store.state.cluster;
  let heard = performance.now();
  store.addEventListener('change', ({ detail: { type } }) => {
    if (!HEARD.has(type)) return;
    said = store.state.cluster;
    heard = performance.now();
  });
  setInterval(() => {
    const { link } = store.state;
    const now = link.state === 'live' ? presentUs(said, performance.now() - heard) : null;
    if (now !== null) store.dispatch({ type: 'tick', now_us: now });
  }, INTERVAL);
}
