// What the places of a pod are called, in the queues and beyond, and where each is shown.
export const WORDS = {
  new: 'New pods',
  active: 'ActiveQ',
  backoff: 'BackoffQ',
  error_backoff: 'BackoffQ (errors)',
  unschedulable: 'Unschedulable',
  gated: 'Gated',
  in_flight: 'In flight',
  bound: 'Placed',
  gone: 'Gone',
};

export function placeHref(base, name) {
  const elsewhere = { bound: 'pods/', new: 'moves/?from=new', gone: 'moves/?to=gone' }[name];
  return elsewhere ? base + elsewhere : `#lane-${name === 'error_backoff' ? 'backoff' : name}`;
}
