// What stops a run by itself, in words.
import { SECOND, clock } from './format.js';

export const IDLE = 'idle,cycle=+1000'; // and never endless

// One a condition: `cycle 128 is over (10 to go)`.
export function untilWords({ until, wanted, now_us: now, start_us: start }) {
  if (wanted !== 'running') return [];
  return (until ?? []).map(({ aim, missing, at_us: at }) => {
    const what = at === null ? aim : `it is ${clock(at, start, false)}`;
    const left = at === null ? missing : `${Math.ceil(Math.max(0, at - now) / SECOND)} s to go`;
    return left ? `${what} (${left})` : what;
  });
}
