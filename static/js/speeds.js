// The speeds at which a run may go, as options of a select.
import { h } from './dom.js';

const SPEEDS = [
  [0.01, '1 cycle/s'], // a cycle takes 10 ms of virtual time
  [0.1, '0.1×'],
  [1, '1×'],
  [10, '10×'],
  [100, '100×'],
  [0, 'flat out'],
];
export const SPEED_TITLE = 'Virtual seconds a real second; 1 cycle/s is 0.01×. Below 1× only cycles are slow: a wait takes 3 s at most';

// Shows `speed`, also one that is none of the usual. `why`: the reason for which it cannot be chosen, "" if it can.
export function offerSpeeds(select, speed, why) {
  const known = SPEEDS.some(([value]) => value === speed);
  const options = known ? SPEEDS : [...SPEEDS, [speed, `${speed}×`]];
  select.replaceChildren(...options.map(([value, text]) => h('option', { value, selected: value === speed }, text)));
  select.disabled = Boolean(why);
  select.title = why || SPEED_TITLE;
}
