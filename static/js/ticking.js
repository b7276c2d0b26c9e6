// While a run at a speed has nothing to tell, its virtual clock goes on all the same: by speed × real time.
const INTERVAL = 250; // ms
const HEARD = new Set(['news', 'loaded']);

// Virtual µs, `ms` of real time after the cluster said `now_us`; null where time does not pass by itself.
export function presentUs({ wanted, speed, now_us: now }, ms) {
  return wanted === 'running' && speed > 0 ? now + Math.round(ms * 1000 * speed) : null;
}

const REAL = { now: () => performance.now(), every: (call) => setInterval(call, INTERVAL) };

// `time`: real time in ms, and who calls again and again.
export function startTicking(store, time = REAL) {
  let said = store.state.cluster;
  let heard = time.now();
  store.addEventListener('change', ({ detail: { type } }) => {
    if (!HEARD.has(type)) return;
    said = store.state.cluster;
    heard = time.now();
  });
  time.every(() => {
    const { link } = store.state;
    const now = link.state === 'live' ? presentUs(said, time.now() - heard) : null;
    if (now !== null) store.dispatch({ type: 'tick', now_us: now });
  });
}
