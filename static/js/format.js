// How figures are written: clocks, kubectl's ages, counts, durations. Times are virtual microseconds.
export const SECOND = 1_000_000;

// Made once: a formatter of its own for every number costs ten times as much.
const WHOLE = new Intl.NumberFormat('en-US');
export const count = (number) => WHOLE.format(number);

export const plural = (number, noun, many = `${noun}s`) => `${count(number)} ${number === 1 ? noun : many}`;

// `00:03:12.480`, since the cluster began.
export function clock(nowUs, startUs, withMillis = true) {
  const total = Math.max(0, Math.floor((nowUs - startUs) / 1000));
  const seconds = Math.floor(total / 1000);
  const two = (value) => String(value).padStart(2, '0');
  const whole = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return withMillis ? `${whole}.${String(total % 1000).padStart(3, '0')}` : whole;
}

// As the AGE column of kubectl: `45s`, `3m12s`, `25m`, `3h20m`, `26h`, `3d4h`, `45d`, `2y30d`.
export function age(us) {
  const seconds = Math.max(0, Math.floor(us / SECOND));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(seconds / 3600);
  const days = Math.floor(hours / 24);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (days < 8) return two(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  return days < 2920 ? two(Math.floor(days / 365), 'y', days % 365, 'd') : `${Math.floor(days / 365)}y`;
}

const two = (large, unit, small, smallUnit) => (small ? `${large}${unit}${small}${smallUnit}` : `${large}${unit}`);

// A short span to run out: `0.600s`, `1m48s`.
export const left = (us) => (us < 60 * SECOND ? `${(Math.max(0, us) / SECOND).toFixed(3)}s` : age(us));

export function milliseconds(ms) {
  if (ms === null || ms === undefined) return '';
  return ms >= 100 ? `${Math.round(ms)} ms` : `${ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
}

// With so many digits behind the point; `≈` before what is not exactly that.
export function rounded(value, digits) {
  const text = value.toFixed(digits);
  return Number(text) === value ? text : `≈ ${text}`;
}

export const percent = (share) => `${Math.floor(share * 100 + 1e-9)}%`;

export const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0');

// `nvidia.com/gpu` → `gpu`.
export const shortResource = (name) => name.slice(name.lastIndexOf('/') + 1);

export function splitKey(key) {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}
