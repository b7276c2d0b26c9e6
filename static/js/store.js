// The only state of a page: a reducer and an EventTarget. Nothing else keeps what the server said.
const MARK_LIMIT = 400;

export class Store extends EventTarget {
  constructor(state) {
    super();
    this.state = state;
  }

  dispatch(action) {
    const next = reduce(this.state, action);
    if (next === this.state) return;
    this.state = next;
    this.dispatchEvent(new CustomEvent('change', { detail: action }));
  }
}

export function initial(server, ui = {}) {
  return {
    ...server,
    shown: null, // a cycle that a person turned back to; null follows the newest
    extra: {}, // further cards of a lane, by lane
    link: { state: 'connecting', since: 0 },
    command: { pending: '', error: '' },
    progress: null,
    stale: false, // a gap was seen: state.json must be fetched
    ui: { layer: 'normalized', view: 'heatmap', sort: 'total', filter: '', find: '', tab: 'cycle', map: 'auto', cell: null, refusal: null, ...ui },
  };
}

export function reduce(state, action) {
  switch (action.type) {
    case 'loaded': return loaded(state, action.server);
    case 'news': return news(state, action.news);
    case 'progress': return progress(state, action.progress);
    case 'link': return { ...state, link: { ...state.link, ...action.link } };
    case 'stale': return { ...state, stale: true };
    case 'command': return { ...state, command: { ...state.command, ...action.command } };
    case 'shown': return { ...state, shown: action.cycle, ui: { ...state.ui, cell: null } };
    case 'more': return { ...state, extra: { ...state.extra, [action.lane]: [...(state.extra[action.lane] ?? []), ...action.cards] } };
    case 'weights': return { ...state, weights: action.weights };
    case 'explained': return { ...state, explained: action.explained };
    case 'ui': return { ...state, ui: { ...state.ui, ...action.ui } };
    default: throw new Error(`unknown action ${action.type}`);
  }
}

function loaded(state, server) {
  return { ...state, ...server, extra: {}, progress: null, stale: false };
}

function news(state, message) {
  if (message.seq < state.cluster.seq) return state; // old news, already known from a fetch
  if (message.from_seq !== state.cluster.seq) return { ...state, stale: true };
  const part = message.state;
  const { can_write: own } = state.cluster; // what this page may do is not the news' business
  const cluster = { ...state.cluster, ...part.cluster, can_write: own, seq: message.seq, head_seq: Math.max(message.seq, part.cluster?.head_seq ?? 0) };
  const next = { ...state, cluster };
  if (part.lanes && state.lanes) {
    next.lanes = replacedLanes(state.lanes, part.lanes);
    next.extra = Object.fromEntries(Object.entries(state.extra).filter(([name]) => !part.lanes.some((lane) => lane.name === name)));
  }
  if (part.cycle !== undefined && 'lanes' in state) next.cycle = part.cycle;
  if (part.map && state.map) next.map = changedMap(state.map, part.map);
  if (part.marks && state.marks) next.marks = joinedMarks(state.marks, part.marks);
  if (state.progress && part.cycle && part.cycle.number >= state.progress.cycle) next.progress = null;
  return next;
}

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

// Cells as the workers return them. Only the open cycle has a matrix to fill; binned rows wait for the whole.
function progress(state, message) {
  const { cycle } = state;
  if (!('lanes' in state) || (cycle && message.cycle < cycle.number)) return state;
  if (!cycle || cycle.number !== message.cycle || cycle.outcome !== 'open') return { ...state, progress: message };
  const places = message.algorithms.map((one) => cycle.algorithms.findIndex((held) => held.name === one.name));
  const algorithms = [...cycle.algorithms];
  message.algorithms.forEach(({ state: stage, worker }, at) => {
    if (places[at] >= 0) algorithms[places[at]] = { ...algorithms[places[at]], state: stage, worker };
  });
  const rows = cycle.rows.bins.some((size) => size > 1) ? cycle.rows : filledRows(cycle.rows, message.cells, places);
  const { phase, tasks } = message;
  const phases = joinedPhases(cycle.phases, message.phases);
  return { ...state, progress: message, cycle: { ...cycle, phase, phases, algorithms, rows, tasks } };
}

function joinedPhases(held, fresh) {
  const byName = new Map(fresh.map((phase) => [phase.name, phase]));
  return held.map((phase) => byName.get(phase.name) ?? phase);
}

// `places`: the message's algorithms as columns of the matrix.
function filledRows(rows, cells, places) {
  const raw = [...rows.raw];
  const normalized = [...rows.normalized];
  for (const cell of cells) {
    if (cell.rows) {
      cell.raw.forEach((values, at) => {
        if (values && places[at] >= 0) raw[places[at]] = placed(raw[places[at]], values, cell.rows[0], rows.names.length);
      });
    } else if (places[cell.algorithm] >= 0) normalized[places[cell.algorithm]] = cell.normalized;
  }
  return { ...rows, raw, normalized };
}

function placed(column, values, first, length) {
  const next = column ? [...column] : Array(length).fill(null);
  values.forEach((value, at) => { if (first + at < length) next[first + at] = value; });
  return next;
}
