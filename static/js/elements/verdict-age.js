// Which cycle the verdicts on the tiles are of, and whether the cluster was changed since: an edit does not judge anew.

// '' before the first cycle. An open cycle sees the cluster as it was at its Pop.
// `seq`: the event that is shown; marks may go beyond it.
export function verdictsOf(cycle, marks, seq = Infinity) {
  if (!cycle) return '';
  const last = cycle.finished_seq ?? cycle.popped_seq;
  const changed = marks.some((mark) => mark.seq > last && mark.seq <= seq && mark.track === 'events');
  return `verdicts of cycle ${cycle.number}${changed ? ', before the cluster changed' : ''}`;
}

// Whether they are on the tiles: until the pod is placed, or as somebody has chosen for this cycle (`ui.verdicts`).
export function judges(cycle, { verdicts }) {
  if (!cycle) return false;
  return verdicts?.cycle === cycle.number ? verdicts.shown : cycle.outcome !== 'bound';
}

// The map without them: every node looks as it is; where the pod went stays marked.
export function unjudged(map) {
  const plain = ({ verdict: _, ...tile }) => tile;
  return { ...map, groups: map.groups.map((group) => ({ ...group, tiles: group.tiles.map(plain) })) };
}
