import { test } from 'node:test';
import assert from 'node:assert/strict';
import { fit } from '../../static/js/elements/queue-graph-label.js';
import { graph } from '../../static/js/elements/queue-graph-layout.js';

const LONG = 'storage.k8s.io/CSIStorageCapacityUpdatePodGeneratedResourceClaim';
const PLACES = ['active', 'backoff', 'error_backoff', 'unschedulable', 'gated', 'in_flight', 'bound'];
const WAITING = ['active', 'backoff', 'error_backoff', 'unschedulable', 'gated'];
// Every move that the queue can make.
const ALL = [
  'new>active', 'new>gated', 'active>in_flight', 'backoff>in_flight', 'in_flight>bound', 'in_flight>gone',
  ...WAITING.flatMap((place) => [`in_flight>${place}`, `${place}>gone`]),
  ...['backoff', 'error_backoff', 'unschedulable', 'gated'].map((place) => `${place}>active`),
  ...['backoff', 'error_backoff', 'unschedulable'].map((place) => `${place}>gated`),
  ...['unschedulable', 'gated'].flatMap((place) => [`${place}>backoff`, `${place}>error_backoff`]),
];
const USED = ['new>active', 'new>gated', 'active>in_flight', 'in_flight>bound', 'in_flight>unschedulable',
  'unschedulable>active', 'unschedulable>backoff', 'backoff>in_flight', 'gated>active'];
const WIDTHS = [820, 900, 1100, 1300, 1480];

const measure = (text) => 6.6 * text.length; // px, wider than any font's mean
const place = (name, count) => ({ name, count });

function flow(keys, kinds = 1, name = 'Pop', each = 1) {
  const causes = Array.from({ length: kinds }, (_, at) => ({ cause: `${name}${at || ''}`, hint: '', count: each, means: name }));
  const edges = keys.map((key) => {
    const [source, target] = key.split('>');
    return { source, target, count: each * kinds, causes };
  });
  return { seq: 1, places: PLACES.map((one, at) => place(one, at)), edges };
}

const rect = ([x, y, width, height]) => ({ left: x, top: y, right: x + width, bottom: y + height });
const segments = ({ points }) => points.slice(1).map((point, at) => rectOf(points[at], point));
const rectOf = (a, b) => ({ left: Math.min(a.x, b.x), top: Math.min(a.y, b.y), right: Math.max(a.x, b.x), bottom: Math.max(a.y, b.y) });
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const touch = (a, b) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
const within = (box, one) => ({ left: box.left + one, top: box.top + one, right: box.right - one, bottom: box.bottom - one });

// What lies over what it must not: ['label of a>b over the box of c', …].
function overlaps(made) {
  const found = [];
  const boxes = made.places.map(({ name, box }) => [`box ${name}`, rect(box)]);
  const labels = made.lines.filter(({ label }) => label).flatMap(({ key, label }) => [
    [key, 'count', rect(label.pill)],
    ...label.texts.map(({ text, box }) => [key, text, rect(box)]),
  ]);
  labels.forEach(([key, what, label], at) => {
    const told = `${what} of ${key}`;
    for (const [name, box] of boxes) if (meet(label, box)) found.push(`${told} over ${name}`);
    for (const [other, word, box] of labels.slice(at + 1)) if (meet(label, box)) found.push(`${told} over ${word} of ${other}`);
    for (const line of made.lines) {
      if (line.key === key && what === 'count') continue;
      if (segments(line).some((segment) => touch(segment, label))) found.push(`${told} over the line ${line.key}`);
    }
    const whole = { left: 0, top: 0, right: made.width, bottom: made.height };
    if (label.left < whole.left || label.top < whole.top || label.right > whole.right || label.bottom > whole.bottom) found.push(`${told} outside`);
  });
  for (const line of made.lines) {
    for (const [name, box] of boxes) {
      if (segments(line).some((segment) => touch(segment, within(box, 0.5)))) found.push(`line ${line.key} through ${name}`);
    }
  }
  boxes.forEach(([name, box], at) => boxes.slice(at + 1).forEach(([other, next]) => meet(box, next) && found.push(`${name} over ${other}`)));
  return found;
}

// Lines that run on top of one another, not only across.
function shared(made) {
  const all = made.lines.flatMap((line) => segments(line).map((segment) => [line.key, segment]));
  const flat = ({ top, bottom }) => top === bottom;
  return all.flatMap(([key, one], at) =>
    all.slice(at + 1).filter(([other, two]) => other !== key && flat(one) === flat(two) && touch(one, two)).map(([other]) => `${key} on ${other}`),
  );
}

for (const width of WIDTHS) {
  for (const [what, keys] of [['nothing', []], ['the usual moves', USED], ['all moves', ALL]]) {
    test(`${what} at ${width} px: nothing covers anything, whatever the events are called`, () => {
      for (const [kinds, name, each] of [[1, 'Pop', 1], [8, 'Pop', 12_345], [1, LONG, 9], [8, LONG, 1_234_567]]) {
        const made = graph(flow(keys, kinds, name, each), width, measure);
        assert.deepEqual(overlaps(made), [], `${kinds} × ${name}`);
        assert.deepEqual(shared(made), []);
        assert.deepEqual(made.others, []);
      }
    });
  }
}

test('each kind of move alone, with the usual ones, covers nothing', () => {
  for (const key of ALL) assert.deepEqual(overlaps(graph(flow([...USED, key], 3, LONG, 99), 1000, measure)), [], key);
});

test('the usual lines are there before anybody went, and carry no count', () => {
  const { lines, places } = graph(flow([]), 1300, measure);
  assert.ok(lines.some(({ key, edge, label }) => key === 'active>in_flight' && edge === null && label === null));
  assert.ok(!places.some(({ name }) => name === 'gated' || name === 'gone'));
});

test('a place that is seldom used appears with its first pod', () => {
  const { lines, places } = graph(flow(['new>gated', 'active>gone']), 1300, measure);
  assert.equal(lines.find(({ key }) => key === 'new>gated').edge.count, 1);
  assert.deepEqual(places.filter(({ name }) => ['gated', 'gone'].includes(name)).length, 2);
  assert.equal(places.find(({ name }) => name === 'gone').count, null);
});

test('a move that no line is drawn for is named as such', () => {
  const { lines, others } = graph(flow(['gated>gated', 'bound>active', 'new>active']), 1300, measure);
  assert.deepEqual(others.map(({ source }) => source), ['gated', 'bound']);
  assert.ok(lines.every(({ key }) => key !== 'bound>active'));
});

test('a line says its event and what it means, or its most frequent events and how many more there are', () => {
  const label = (kinds) => graph(flow(['in_flight>unschedulable'], kinds, 'Add', 2), 1300, measure).lines
    .find(({ key }) => key === 'in_flight>unschedulable').label;
  assert.deepEqual(label(1).texts.map(({ text }) => text), ['Add', 'Add']);
  assert.deepEqual(label(4).texts.map(({ text }) => text), ['Add 2', 'Add1 2 +2']);
  assert.equal(label(4).figure, '8');
});

test('a name beside its line is broken where it has no room, before it is cut', () => {
  const label = (name, width) => graph(flow(['new>gated'], 1, name, 2), width, measure).lines.find(({ key }) => key === 'new>gated').label;
  assert.deepEqual(label('UnschedulablePodAdd', 1000).texts.map(({ text }) => text), ['Unschedulable', 'PodAdd']);
});

test('words are cut to their room, and left out where there is none', () => {
  assert.equal(fit('NodeAdd', ' 2', 100, measure), 'NodeAdd 2');
  assert.equal(fit('UnschedulableTimeout', ' +2', 90, measure), 'Unschedul… +2');
  assert.equal(fit('UnschedulableTimeout', ' +2', 20, measure), '');
});
