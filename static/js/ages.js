// Ages and clocks that the server wrote go on with the clock in the head.
import { setText } from './dom.js';
import { age, clock } from './format.js';

export function startAges(store, root = document) {
  const all = [...root.querySelectorAll('time[data-since], time[data-until], [data-clock]')];
  const tell = () => all.forEach((one) => setText(one, words(one, store.state.cluster)));
  if (all.length) store.addEventListener('change', tell);
}

export function words({ dataset: { since, until } }, { now_us: now, start_us: start }) {
  if (since !== undefined) return age(now - Number(since));
  return until === undefined ? clock(now, start) : age(Number(until) - now);
}
