// What a run waits for when no pod can be tried: the next timer of the virtual clock, and how long that is in real time.
import { SECOND, age, clock } from './format.js';

const WORTH_SAYING = 1; // real seconds; a shorter wait is over before it is read

// {what, brief, at_us, seconds, shortened} of a run at a speed that has nothing to do; null where it has, or waits for nothing.
// `shortened`: the run goes slowly, but does not slow its waits.
export function waitOf({ cluster, lanes, past }) {
  const { wanted, speed, rate = speed, now_us: now, next_timer_us: at } = cluster;
  if (past || !lanes || wanted !== 'running' || !speed || at === null || at === undefined) return null;
  const busy = lanes.some((lane) => (lane.name === 'active' || lane.name === 'in_flight') && lane.count > 0);
  const seconds = (at - now) / SECOND / rate;
  if (busy || seconds < WORTH_SAYING) return null;
  const [what, brief] = timerOf(lanes, at);
  return { what, brief, at_us: at, seconds, shortened: rate !== speed };
}

// In full and in brief. A backoff ends with the flush after it; what is left over is flushed once it has waited for five minutes.
function timerOf(lanes, at) {
  const times = (name, time) => (lanes.find((lane) => lane.name === name)?.cards ?? []).map((card) => card[time]);
  if (times('backoff', 'backoff_end_us').some((end) => Math.abs(end - at) <= SECOND)) return ['the end of a backoff', 'end of a backoff'];
  if (times('unschedulable', 'flush_us').some((flush) => flush <= at)) return ['the flush of unschedulable pods', 'next flush'];
  return ['the next timer', 'next timer'];
}

// How far a backoff has run, 0 to 1, and how long it still has, in virtual µs. One whose end is past but not yet told
// stands at its end.
export function backoffOf({ backoff_start_us: start, backoff_end_us: end }, nowUs) {
  const share = end > start ? Math.min(1, Math.max(0, (nowUs - start) / (end - start))) : 1;
  return { share, left: Math.max(0, end - nowUs) };
}

const inAll = (seconds) => age(Math.ceil(seconds) * SECOND);

export const waitWords = ({ what, at_us: at, seconds, shortened }, startUs) =>
  `Idle until ${what} at ${clock(at, startUs, false)}, in ${inAll(seconds)}${shortened ? ': waits are not slowed down.' : ' at this speed.'}`;

// Beside the transport.
export const waitBrief = ({ brief, seconds }) => `Idle: ${brief} in ${inAll(seconds)}`;
