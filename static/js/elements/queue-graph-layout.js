// Where the places of the queues stand in the graph and how the lines between them run: wide and narrow. Pure.

// [wide, narrow] of everything that follows.
const VIEWS = [
  [0, 0, 1120, 440],
  [-32, 0, 432, 712],
];
// [x, y, width, height] of each place.
const PLACES = {
  new: [[8, 150, 92, 60], [8, 8, 112, 56]],
  gated: [[252, 16, 168, 60], [224, 8, 136, 56]],
  active: [[252, 150, 168, 60], [112, 140, 136, 56]],
  in_flight: [[624, 150, 168, 60], [112, 292, 136, 56]],
  bound: [[968, 150, 144, 60], [256, 396, 104, 56]],
  backoff: [[252, 284, 168, 60], [8, 512, 136, 56]],
  unschedulable: [[624, 328, 168, 60], [224, 512, 136, 56]],
  error_backoff: [[252, 372, 168, 60], [8, 640, 136, 56]],
  gone: [[968, 328, 144, 60], [224, 640, 136, 56]],
};

// How a line leaves and arrives: side and place on it (0 to 1), where on it the count stands, and how far to the right
// of that (px) its causes, so that they stand beside the box of BackoffQ and not across it.
const LINES = {
  'new>active': [['right .5', 'left .5', 0.5], ['bottom .6', 'top .2', 0.5]],
  'new>gated': [['right .2', 'left .5', 0.5], ['right .5', 'left .5', 0.5]],
  'gated>active': [['bottom .5', 'top .5', 0.5], ['bottom .5', 'top .8', 0.5]],
  'active>in_flight': [['right .35', 'left .35', 0.5], ['bottom .35', 'top .35', 0.5]],
  'in_flight>active': [['left .8', 'right .8', 0.72], ['top .65', 'bottom .65', 0.5]],
  'in_flight>bound': [['right .5', 'left .5', 0.5], ['right .5', 'top .5', 0.5]],
  'in_flight>unschedulable': [['bottom .5', 'top .5', 0.5], ['bottom .75', 'top .12', 0.5]],
  'in_flight>backoff': [['bottom .12', 'right .62', 0.34], ['bottom .3', 'top .75', 0.45]],
  'in_flight>error_backoff': [['bottom .25', 'right .5', 0.78], ['bottom .1', 'top .85', 0.86]],
  'backoff>in_flight': [['right .2', 'left 1', 0.28], ['top .45', 'left .8', 0.4]],
  'backoff>active': [['top .35', 'bottom .35', 0.5], ['top .2', 'left .6', 0.5]],
  'error_backoff>active': [['left .5', 'left .85', 0.5], ['left .5', 'left .3', 0.5]],
  'unschedulable>active': [['left .2', 'bottom .8', 0.6, 46], ['right .5', 'right .5', 0.6]],
  'unschedulable>backoff': [['left .6', 'right .95', 0.3], ['left .5', 'right .5', 0.5]],
  'unschedulable>gone': [['right .5', 'left .5', 0.5], ['bottom .5', 'top .5', 0.5]],
  'in_flight>gone': [['right .85', 'left .2', 0.5]],
};
// Lines that every cluster has are always drawn, faint until somebody went there; others appear with their first pod.
const USUAL = [
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

// {view, places, lines: [{key, d, at: [x, y], aside, edge}]} of a flow; `edge` is null where nobody went yet.
export function graph(flow, narrow) {
  const shape = Number(narrow);
  const edges = new Map(flow.edges.map((edge) => [`${edge.source}>${edge.target}`, edge]));
  const keys = new Set([...USUAL, ...edges.keys()]);
  const lines = [...keys]
    .map((key) => ({ key, edge: edges.get(key) ?? null, ...line(key, shape) }))
    .filter((one) => one.d);
  const shown = new Set(lines.flatMap(({ key }) => key.split('>')));
  const counts = new Map(flow.places.map(({ name, count }) => [name, count]));
  const places = Object.entries(PLACES)
    .filter(([name]) => shown.has(name))
    .map(([name, boxes]) => ({ name, box: boxes[shape], count: counts.get(name) ?? null }));
  return { view: cut(VIEWS[shape], places), places, lines };
}

// Without its highest place, a picture begins at the next one.
function cut([left, top, width, height], places) {
  const first = Math.max(top, Math.min(...places.map(({ box }) => box[1])) - MARGIN);
  return [left, first, width, top + height - first];
}

function line(key, shape) {
  const [source, target] = key.split('>');
  const [from, to] = [PLACES[source]?.[shape], PLACES[target]?.[shape]];
  if (!from || !to || source === target) return {};
  const [out, into, along, aside = 0] = LINES[key]?.[shape] ?? [...facing(from, to), 0.5];
  const [start, end] = [port(from, out), port(to, into)];
  const apart = Math.hypot(end.x - start.x, end.y - start.y);
  const reach = start.side === end.side ? LOOP : Math.max(28, 0.42 * apart);
  const points = [start, ahead(start, reach), ahead(end, reach), end];
  const d = `M${xy(points[0])} C${points.slice(1).map(xy).join(' ')}`;
  return { d, at: bezier(points, along), aside };
}

const MARGIN = 16; // above the highest place
const LOOP = 44; // how far a line that comes back to the same side goes out

const xy = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

const AHEAD = { left: [-1, 0], right: [1, 0], top: [0, -1], bottom: [0, 1] };

function ahead({ x, y, side }, reach) {
  const [dx, dy] = AHEAD[side];
  return { x: x + dx * reach, y: y + dy * reach };
}

function port([x, y, width, height], place) {
  const [side, share] = [place.split(' ')[0], Number(place.split(' ')[1])];
  if (side === 'left' || side === 'right') return { side, x: side === 'left' ? x : x + width, y: y + height * share };
  return { side, x: x + width * share, y: side === 'top' ? y : y + height };
}

// The sides that look at each other, for a line that nobody thought of.
function facing([ax, ay], [bx, by]) {
  if (Math.abs(bx - ax) >= Math.abs(by - ay)) return bx > ax ? ['right .7', 'left .7'] : ['left .7', 'right .7'];
  return by > ay ? ['bottom .9', 'top .9'] : ['top .9', 'bottom .9'];
}

function bezier(points, t) {
  const share = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
  return ['x', 'y'].map((axis) => points.reduce((sum, point, at) => sum + share[at] * point[axis], 0));
}
