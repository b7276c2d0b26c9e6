// The columns of each lane's table. A cell gives text, or new children, or null where it has set its cell itself.
import { h, icon, meter, setMeter, setText, worded } from '../dom.js';
import { QUEUED } from './queue-lane.js';
import { age, clock, count, left, plural, splitKey } from '../format.js';

const SHOWN = 3; // events or plugins named in a row; the rest stands below it

const pod = {
  title: 'pod',
  looks: 'name',
  cell: ({ key }, { base, at }, td) =>
    td.firstChild ? null : [h('a', { href: `${base}pods/${key}/${at ? `?at=${at}` : ''}` }, ...parted(key))],
};

// A line may end behind the namespace.
function parted(key) {
  const [namespace, name] = splitKey(key);
  return [`${namespace}/`, h('wbr'), h('span', {}, name)];
}

const rank = { title: 'rank', looks: 'n', cell: ({ rank: place }) => (place === 1 ? '1 next' : String(place)) };
const priority = { title: 'priority', looks: 'n', cell: (card) => count(card.priority) };
const attempts = { title: 'attempts', looks: 'n', cell: (card) => String(card.attempts) };
const queued = { title: 'queued', about: QUEUED, looks: 'n', cell: (card, { nowUs }) => age(nowUs - card.since_us) };
const why = {
  title: 'brought here by',
  cell: (card, _, td) => once(td, [card.why, card.moved_seq], () => (card.why ? broughtBy(card) : [card.moved_seq ? h('span', { class: 'dim' }, 'its arrival') : ''])),
};
const broughtBy = ({ why: name, means }) => [h('span', { class: 'mono' }, name), h('span', { class: 'dim' }, ` ${means ?? ''}`)];

const nominated = { title: 'nominated', looks: 'name', cell: (card) => card.nominated_node ?? '' };
const plugins = { title: 'refused by', cell: (card, _, td) => once(td, [card.plugins, card.reason], () => [...chips(card.plugins ?? []), ...others(card.plugins ?? []), ...said(card)]) };
// Where there is room for one chip only; the row's details name all.
const others = ([, ...names]) => (names.length ? [h('span', { class: 'dim lane-plus', title: names.join(', ') }, `+${names.length}`)] : []);
const said = ({ reason }) => (reason ? [h('span', { class: 'dim lane-reason' }, reason)] : []);
const events = {
  title: 'waits for',
  looks: 'dim',
  cell: (card, { rules }, td) => {
    const text = short(waitsFor(card, rules), rules.hints ? 'nothing: only the flush' : 'any event');
    return once(td, text, () => worded(text));
  },
};

const remaining = {
  title: 'backoff left',
  looks: 'n',
  cell: (card, { nowUs }, td) => {
    if (!td.bar) td.append((td.bar = meter(0)), (td.figure = h('span')));
    const whole = card.backoff_end_us - card.backoff_start_us;
    setMeter(td.bar, whole > 0 ? (nowUs - card.backoff_start_us) / whole : 1);
    setText(td.figure, left(card.backoff_end_us - nowUs));
    return null;
  },
};
const ends = { title: 'ends at', looks: 'n dim', cell: (card, { startUs }) => clock(card.backoff_end_us, startUs) };
const after = {
  title: 'after',
  cell: (card) => (card.errors ? plural(card.errors, 'error', 'errors in a row') : `${card.refusals ?? 0} refused`),
};
const flush = {
  title: 'flush in',
  looks: 'n',
  cell: (card, { nowUs, rules }) => (rules.leftover_flush_us ? age(card.flush_us - nowUs) : 'never'),
};
const gate = { title: 'gate', looks: 'name', cell: (card) => card.gate ?? '' };
const keeper = { title: 'held by', cell: (card) => card.gate_plugin ?? '' };
const phase = {
  title: 'cycle',
  cell: (card, { base }, td) =>
    once(td, [card.cycle, card.phase], () =>
      card.cycle ? [h('a', { href: `${base}cycles/${card.cycle}/` }, `${card.cycle}, at ${card.phase}`)] : [],
    ),
};

export const COLUMNS = {
  in_flight: [pod, priority, { ...attempts, title: 'attempt' }, phase, nominated],
  active: [rank, pod, priority, attempts, queued, why, nominated],
  backoff: [rank, pod, remaining, ends, priority, attempts, after, plugins, nominated],
  unschedulable: [pod, plugins, events, priority, attempts, queued, flush, nominated],
  gated: [pod, gate, keeper, events, priority, queued],
};

// Events that could move the pod: of every plugin that refused it or holds it.
const waitsFor = (card, rules) => [
  ...new Set([...(card.plugins ?? []), card.gate_plugin].flatMap((plugin) => rules.listens[plugin] ?? [])),
];

function short(names, none) {
  if (!names.length) return none;
  const more = names.length - SHOWN;
  return names.slice(0, SHOWN).join(', ') + (more > 0 ? ` +${more}` : '');
}

export const chips = (names) =>
  names.map((name) => h('span', { class: 'chip chip-refuse' }, icon('cross'), h('span', {}, name)));

function once(td, value, make) {
  const key = JSON.stringify(value);
  if (td.key === key) return null;
  td.key = key;
  return make();
}
