// While a run at a speed has nothing to tell, its virtual clock goes on all the same: by rate × real time.
const INTERVAL = 250; // ms
const HEARD = new Set(['news', 'loaded']);

// Virtual µs, `ms` of real time after the cluster said `now_us`; null where time does not pass by itself.
// A slow run that waits goes faster, and stops at what it waits for.
export function presentUs({ wanted, speed, rate = speed, now_us: now, next_timer_us: next }, ms) {
  if (wanted !== 'running' || speed <= 0) return null;
  const passed = now + Math.round(ms * 1000 * rate);
  return rate === speed ? passed : Math.max(now, Math.min(passed, next ?? passed));
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
