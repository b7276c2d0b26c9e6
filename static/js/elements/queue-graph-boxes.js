// Where the places of the graph of queues stand, and at which height each line leaves or enters them. Pure, in px.
//
// Every line that has a label runs level through the middle of a gap between two columns, at a height that no other
// line or label of that gap has. All that runs up or down does so beside the middle: so nothing can be covered.
import { linesAt, routeOf } from './queue-graph-routes.js';

const PITCH = 56; // between two labelled lines: the count on the line, two lines of words below it
const TRACK = 10; // between two lines that run up or down beside one another
const PORT = 15; // between two lines that enter or leave a box without labels near
const SIDE = 16; // from a box to the nearest track
const MARGIN = 12;
const LOW = 60; // the lowest box: a name and a count
const LEAST = 66; // the narrowest gap: a short count, and some of its line at both ends
const PAD = 24; // from the end of a box to its first labelled line
const [ROW_GAP, STEP_GAP] = [24, 64]; // between boxes of a column, the second with a labelled line from one to the other

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
const clamp = (least, value, most) => Math.round(Math.max(least, Math.min(most, value)));

// {boxes: {place: [x, y, width, height]}, ports: {'place key': y}, zones: {queues, work, bind: [left, right]},
// tracks: {key: x}, lanes: {key: {x, y}}, height}
export function arrange(keys, width) {
  const sides = keys.filter((key) => ['side', 'under'].includes(routeOf(key)));
  const loops = linesAt(keys, 'loop', 'active');
  const columns = columnsOf(width, 2 * SIDE + (loops.length + sides.length) * TRACK);
  const made = { boxes: {}, ports: {}, tracks: {}, lanes: {}, keys, columns };
  loops.forEach((key, at) => (made.tracks[key] = columns.outside[0] + columns.outside[1] + SIDE + at * TRACK));
  sides.forEach((key, at) => (made.tracks[key] = columns.queues[0] - SIDE - at * TRACK));
  stack(made);
  const [outside, queues, flight, bound] = Object.values(columns);
  const left = outside[0] + outside[1] + SIDE + loops.length * TRACK;
  const right = queues[0] - SIDE - sides.length * TRACK;
  made.zones = { queues: [left, right], work: between(queues, flight), bind: between(flight, bound) };
  return made;
}

const between = ([x, width], [next]) => [x + width, next];

// Of each column [left, width]. `tracks`: px that lines up and down need in the first gap, beside its labels.
function columnsOf(width, tracks) {
  const widths = [clamp(108, width * 0.12, 168), clamp(138, width * 0.14, 200), clamp(84, width * 0.085, 116), clamp(80, width * 0.085, 132)];
  const free = width - 2 * MARGIN - tracks - sum(widths);
  const bind = Math.max(LEAST, Math.floor(free * 0.22));
  const gaps = [tracks + Math.floor((free - bind) * 0.47), Math.floor((free - bind) * 0.53), bind];
  const column = (at) => [MARGIN + sum(widths.slice(0, at)) + sum(gaps.slice(0, at)), widths[at]];
  return { outside: column(0), queues: column(1), flight: column(2), bound: column(3) };
}

// From the top: the queues, beside them what is outside; each as far down as the one before it makes it.
function stack(made) {
  const { boxes, ports, keys } = made;
  queue(made, 'active', MARGIN);
  const entry = ports['active new>active'];
  box(made, 'new', 'outside', Math.min(MARGIN, entry - PAD), LOW);
  ports['new new>active'] = entry;
  queue(made, 'backoff', below(boxes.active) + STEP_GAP);
  const loopsEnd = Math.max(...linesAt(keys, 'loop', 'active').map((key) => ports[`active ${key}`]));
  const gated = aside(made, 'gated', below(boxes.new) + STEP_GAP, loopsEnd);
  const step = (key) => (keys.includes(key) ? STEP_GAP : ROW_GAP);
  queue(made, 'unschedulable', below(boxes.backoff) + STEP_GAP, gated);
  queue(made, 'error_backoff', below(boxes.unschedulable) + step('unschedulable>error_backoff'));
  const end = below(boxes.error_backoff);
  box(made, 'in_flight', 'flight', MARGIN, end - MARGIN);
  box(made, 'bound', 'bound', MARGIN, LOW);
  const last = Math.max(gated, ports['error_backoff error_backoff>active']);
  aside(made, 'gone', below(boxes.gated ?? boxes.new) + STEP_GAP, last);
  const under = keys.filter((key) => routeOf(key) === 'under');
  const foot = made.columns.flight[0] + SIDE;
  under.forEach((key, at) => (made.lanes[key] = { x: foot + at * TRACK, y: end + SIDE + at * TRACK }));
  const labels = Object.values(ports).map((y) => y + PITCH - PORT);
  made.height = Math.max(...Object.values(made.lanes).map(({ y }) => y), ...Object.values(boxes).map(below), ...labels) + MARGIN;
}

const below = ([, y, , height]) => y + height;

function box(made, place, column, y, height) {
  const [x, width] = made.columns[column];
  made.boxes[place] = [x, y, width, height];
}

// A queue: labelled lines at its left (not higher than one label below `above`) and right, tracks below those at its left.
function queue(made, place, y, above = -PITCH) {
  const { keys, ports } = made;
  const entries = place === 'active' ? ['new>active'] : [];
  const labelled = [...entries, ...linesAt(keys, 'loop', place)];
  const tracked = linesAt(keys, 'side', place);
  const right = linesAt(keys, 'work', place);
  const leftSpan = Math.max(0, labelled.length - 1) * PITCH + tracked.length * PORT;
  const rightSpan = Math.max(0, right.length - 1) * PITCH;
  const height = Math.max(LOW, 2 * PAD + leftSpan, 2 * PAD + rightSpan);
  const first = (height - leftSpan) / 2;
  const top = labelled.length ? Math.max(y, above + PITCH - first) : y;
  box(made, place, 'queues', top, height);
  labelled.forEach((key, at) => (ports[`${place} ${key}`] = top + first + at * PITCH));
  const next = top + first + Math.max(0, labelled.length - 1) * PITCH + (labelled.length ? PORT : 0);
  tracked.forEach((key, at) => (ports[`${place} ${key}`] = next + at * PORT));
  right.forEach((key, at) => (ports[`${place} ${key}`] = top + (height - rightSpan) / 2 + at * PITCH));
}

// A place left of the queues, if there is anything to it: gives the height of its last line, else `above`.
function aside(made, place, y, above) {
  const { keys, ports } = made;
  const lines = ['side', 'under'].flatMap((route) => linesAt(keys, route, place));
  if (!lines.length && !linesAt(keys, 'step', place).length) return above;
  const span = Math.max(0, lines.length - 1) * PITCH;
  const height = Math.max(LOW, 2 * PAD + span);
  const first = (height - span) / 2;
  const top = lines.length ? Math.max(y, above + PITCH - first) : y;
  box(made, place, 'outside', top, height);
  lines.forEach((key, at) => (ports[`${place} ${key}`] = top + first + at * PITCH));
  return lines.length ? top + first + span : above;
}
