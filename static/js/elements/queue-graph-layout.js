// The picture of the queues for a width: boxes, lines with their points, and labels that cover none of them. Pure.
import { arrange } from './queue-graph-boxes.js';
import { labelOf } from './queue-graph-label.js';
import { USUAL, keyOf, routeOf } from './queue-graph-routes.js';

// From the left end of a box of a column to a line that leaves it upwards or downwards.
const STEP_IN = { outside: 24, queues: 34 };
const ROUND = 8; // px, of a bend
const NEAR = 10; // px between words and what they must not touch

const isAside = (key) => key === 'new>gated' || key === 'gated>gone'; // a step in the column left of the queues

// {width, height, places: [{name, box, count}], lines: [{key, d, points, edge, label}], others: [edge]} of a flow.
// `edge` and `label` are null where nobody went yet; `others` are moves that no line is drawn for.
export function graph(flow, width, measure) {
  const edges = new Map(flow.edges.map((edge) => [keyOf(edge), edge]));
  const keys = [...new Set([...USUAL, ...edges.keys()])].filter(routeOf);
  const made = arrange(keys, width);
  const counts = new Map(flow.places.map(({ name, count }) => [name, count]));
  const places = Object.entries(made.boxes).map(([name, box]) => ({ name, box, count: counts.get(name) ?? null }));
  const lines = keys.map((key) => {
    const points = pointsOf(key, made);
    const edge = edges.get(key) ?? null;
    return { key, d: path(points), points, edge, label: edge && labelOf(edge, slotOf(key, points, made), measure) };
  });
  return { width, height: made.height, places, lines, others: flow.edges.filter((edge) => !routeOf(keyOf(edge))) };
}

function pointsOf(key, { boxes, ports, tracks, lanes }) {
  const [source, target] = key.split('>');
  const [from, to, route] = [boxes[source], boxes[target], routeOf(key)];
  const at = (place) => ports[`${place} ${key}`];
  if (route === 'step') {
    const up = from[1] > to[1];
    const x = from[0] + STEP_IN[isAside(key) ? 'outside' : 'queues'];
    return up ? points([x, from[1]], [x, to[1] + to[3]]) : points([x, from[1] + from[3]], [x, to[1]]);
  }
  if (route === 'loop') {
    const track = tracks[key];
    return points([from[0], at(source)], [track, at(source)], [track, at(target)], [to[0], at(target)]);
  }
  if (route === 'side') return side(key, boxes, at, tracks[key]);
  if (route === 'under') {
    const { x, y } = lanes[key];
    return points([x, from[1] + from[3]], [x, y], [tracks[key], y], [tracks[key], at(target)], [to[0] + to[2], at(target)]);
  }
  const y = at(source) ?? at(target) ?? to[1] + to[3] / 2;
  return from[0] < to[0] ? points([from[0] + from[2], y], [to[0], y]) : points([from[0], y], [to[0] + to[2], y]);
}

function side(key, boxes, at, track) {
  const [source, target] = key.split('>');
  const [from, to] = [boxes[source], boxes[target]];
  const right = from[0] < to[0];
  const ends = right ? [from[0] + from[2], to[0]] : [from[0], to[0] + to[2]];
  return points([ends[0], at(source)], [track, at(source)], [track, at(target)], [ends[1], at(target)]);
}

const points = (...pairs) => pairs.map(([x, y]) => ({ x, y }));

// Where the label may stand: {x, y} of its count, and [left, right] for its words, beside the count or below it.
function slotOf(key, line, { boxes, zones, columns }) {
  const route = routeOf(key);
  if (route === 'step') {
    const [{ x, y }, end] = line;
    const right = isAside(key) ? columns.outside[0] + columns.outside[1] + NEAR : boxes.in_flight[0] - NEAR;
    return { x, y: (y + end.y) / 2, room: [x, right], beside: true, most: 2 * (x - 2) };
  }
  const room = zones[{ work: 'work', bind: 'bind' }[route] ?? 'queues'];
  const labelled = route === 'side' || route === 'under' ? line.find((_, at) => isOutside(line, at, columns)) : line[0];
  return { x: (room[0] + room[1]) / 2, y: labelled.y, room, beside: false, most: room[1] - room[0] - NEAR };
}

// Whether a line touches the left column at this point.
const isOutside = (line, at, { outside }) => line[at].x === outside[0] + outside[1];

function path(line) {
  const [first, ...rest] = line;
  const parts = [`M${xy(first)}`];
  rest.forEach((point, at) => {
    const next = rest[at + 1];
    const before = at ? rest[at - 1] : first;
    if (!next) return parts.push(`L${xy(point)}`);
    const round = Math.min(ROUND, apart(before, point) / 2, apart(point, next) / 2);
    return parts.push(`L${xy(toward(point, before, round))}`, `Q${xy(point)} ${xy(toward(point, next, round))}`);
  });
  return parts.join(' ');
}

const xy = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const apart = (a, b) => Math.hypot(b.x - a.x, b.y - a.y);

function toward(from, to, length) {
  const share = length / (apart(from, to) || 1);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
