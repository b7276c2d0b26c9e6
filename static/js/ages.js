// Ages that the server wrote go on with the clock in the head.
import { setText } from './dom.js';
import { age } from './format.js';

export function startAges(store, root = document) {
  const all = [...root.querySelectorAll('time[data-since], time[data-until]')];
  if (all.length) store.addEventListener('change', () => all.forEach((one) => setText(one, words(one, store.state.cluster.now_us))));
}

export const words = ({ dataset: { since, until } }, now) => age(since === undefined ? Number(until) - now : now - Number(since));
