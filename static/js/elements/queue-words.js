// What the places of a pod are called, in the queues and beyond.
export const WORDS = {
  new: 'New pods',
  active: 'ActiveQ',
  backoff: 'BackoffQ',
  error_backoff: 'BackoffQ (errors)',
  unschedulable: 'Unschedulable',
  gated: 'Gated',
  in_flight: 'In flight',
  bound: 'Bound',
  gone: 'Gone',
};
