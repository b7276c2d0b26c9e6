// The places of the graph of queues, and which way each kind of move runs between them. Pure.

const QUEUES = ['active', 'backoff', 'unschedulable', 'error_backoff'];
const ASIDE = ['gated', 'gone'];
const STEPS = ['backoff>active', 'unschedulable>backoff', 'unschedulable>error_backoff', 'new>gated', 'gated>gone'];
const LOOPS = ['error_backoff>active', 'unschedulable>active']; // the outer one first

// Lines that every cluster has are always drawn, faint until somebody went there; others appear with their first pod.
export const USUAL = [
  'new>active',
  'active>in_flight',
  'in_flight>bound',
  'in_flight>unschedulable',
  'in_flight>backoff',
  'in_flight>error_backoff',
  'backoff>active',
  'error_backoff>active',
  'backoff>in_flight',
  'unschedulable>active',
  'unschedulable>backoff',
];

export const keyOf = ({ source, target }) => `${source}>${target}`;

// enter, work and bind run straight to the right or left, step straight up or down; loop leaves and arrives at the left
// of the queues; side runs between a place left of them and one of them; under passes below them. null: not drawn.
export function routeOf(key) {
  const [source, target] = key.split('>');
  if (key === 'new>active') return 'enter';
  if (key === 'in_flight>bound') return 'bind';
  if (STEPS.includes(key)) return 'step';
  if (LOOPS.includes(key)) return 'loop';
  if (source === 'in_flight') return QUEUES.includes(target) ? 'work' : ASIDE.includes(target) ? 'under' : null;
  if (target === 'in_flight') return QUEUES.includes(source) ? 'work' : null;
  const between = (a, b) => ASIDE.includes(a) && QUEUES.includes(b);
  return between(source, target) || between(target, source) ? 'side' : null;
}

// The lines in the order in which they stand beside one another at the box of `place`, those of one route.
export function linesAt(keys, route, place) {
  const here = keys.filter((key) => routeOf(key) === route && key.split('>').includes(place));
  return route === 'loop' ? LOOPS.filter((key) => here.includes(key)) : here;
}
