// Ages and clocks that the server wrote go on with the clock in the head.
import { setText } from './dom.js';
import { age, clock } from './format.js';

const TOLD = 'time[data-since], time[data-until], [data-clock]';

// Looked up each time: pages exchange parts of themselves.
export function startAges(store, root = document) {
  store.addEventListener('change', () => {
    for (const one of root.querySelectorAll(TOLD)) setText(one, words(one, store.state.cluster));
  });
}

export function words({ dataset: { since, until } }, { now_us: now, start_us: start }) {
  if (since !== undefined) return age(now - Number(since));
  return until === undefined ? clock(now, start) : age(Number(until) - now);
}
