// What a `news` message changes of a state: whole lanes, the whole cycle, single tiles, new marks. Pure.
const MARK_LIMIT = 400;

export function news(state, message) {
  if (message.seq < state.cluster.seq) return state; // old news, already known from a fetch
  if (message.from_seq !== state.cluster.seq) return { ...state, stale: true };
  const part = message.state;
  const { can_write: own } = state.cluster; // what this page may do is not the news' business
  const cluster = {
    ...state.cluster,
    ...part.cluster,
    can_write: own,
    seq: message.seq,
    head_seq: Math.max(message.seq, part.cluster?.head_seq ?? 0),
  };
  // A new wish alone (run, pause, speed) does not turn back the time that has passed since the last event.
  if (message.seq === state.cluster.seq) cluster.now_us = Math.max(cluster.now_us, state.cluster.now_us);
  const next = { ...state, cluster };
  if (part.lanes && state.lanes) {
    next.lanes = replacedLanes(state.lanes, part.lanes);
    next.extra = Object.fromEntries(
      Object.entries(state.extra).filter(([name]) => !part.lanes.some((lane) => lane.name === name)),
    );
  }
  if (part.cycle !== undefined && follows(state, part.cycle)) next.cycle = part.cycle;
  if (part.map && state.map) next.map = changedMap(state.map, part.map);
  if (part.marks && state.marks) next.marks = joinedMarks(state.marks, part.marks);
  if (state.progress && part.cycle && part.cycle.number >= state.progress.cycle) next.progress = null;
  return next;
}

// The board follows whatever cycle is newest, the page of a cycle only its own.
const follows = (state, cycle) => 'lanes' in state || cycle?.number === state.cycle?.number;

function replacedLanes(lanes, changed) {
  const fresh = new Map(changed.map((lane) => [lane.name, lane]));
  return lanes.map((lane) => fresh.get(lane.name) ?? lane);
}

// A partial map: figures and groups by name (with `tiles` where nodes came or went), changed tiles, the cycle's new
// words on others: verdicts [name, reason | null, "lead" | "tie" | ""].
function changedMap(map, { groups, tiles = [], verdicts = [], ...figures }) {
  const next = { ...map, ...figures };
  const fresh = new Map(tiles.map((tile) => [tile.name, tile]));
  const words = new Map(verdicts.map(([name, verdict, mark]) => [name, { verdict, mark }]));
  const held = new Map(map.groups.map((group) => [group.name, group]));
  const patch = (tile) => fresh.get(tile.name) ?? (words.has(tile.name) ? judged(tile, words.get(tile.name)) : tile);
  next.groups = (groups ?? map.groups).map((group) => {
    const known = held.get(group.name);
    const list = group.tiles ?? known?.tiles ?? [];
    const same = list.every((tile) => !fresh.has(tile.name) && !words.has(tile.name));
    if (same && known && list === known.tiles && known.cpu === group.cpu && known.memory === group.memory) return known;
    return { ...known, ...group, tiles: same ? list : list.map(patch) };
  });
  return next;
}

function judged(tile, { verdict, mark }) {
  const { verdict: _, lead, tie, ...node } = tile;
  if (verdict !== null) node.verdict = verdict;
  if (mark) node[mark] = true;
  return node;
}

function joinedMarks(marks, fresh) {
  const last = marks.length ? marks[marks.length - 1].seq : 0;
  return [...marks, ...fresh.filter((mark) => mark.seq > last)].slice(-MARK_LIMIT);
}
