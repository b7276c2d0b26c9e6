// The candidates of a preemption, best first: their victims, and what each rule compares.
import { h, icon } from '../dom.js';
import { age, count, plural } from '../format.js';

// Heads of the columns, in the order of the engine's rules, and the rules in full.
const HEADS = ['budgets broken', 'first victim', 'sum of priorities', 'victims', 'earliest start'];
const NOTES = [
  'Fewest disruption budgets broken',
  'Lowest priority of the first victim',
  'Smallest sum of (priority + 2³¹)',
  'Fewest victims',
  'Latest start among the most important victims',
];
const SUM = 2;
const START = 4;
const SHIFT = 2 ** 31;

export function candidateHead(deciding) {
  return h(
    'tr',
    {},
    h('th', { class: 'stick', scope: 'col' }, 'node'),
    h('th', { scope: 'col' }, 'who would have to leave'),
    HEADS.map((text, at) =>
      h(
        'th',
        { class: 'n', scope: 'col', title: NOTES[at], 'data-state': at === deciding ? 'decides' : null },
        text,
        at === deciding ? h('span', { class: 'chip chip-acc' }, 'decided') : '',
      ),
    ),
  );
}

// `nowUs`: the moment of the attempt, which ages are counted from.
export function candidateRows(tried, base, nowUs) {
  const rows = tried.candidates.map((one) => candidate(one, tried, base, nowUs));
  const more = tried.candidate_count - tried.candidates.length;
  if (more > 0) {
    const text = `and ${plural(more, 'candidate')} more, ruled out or equal`;
    rows.push(h('tr', {}, h('td', { class: 'dim', colspan: HEADS.length + 2 }, text)));
  }
  return rows;
}

function candidate(one, tried, base, nowUs) {
  const wins = one.node === tried.nominated;
  const hidden = one.victim_count - one.victims.length;
  return h(
    'tr',
    { 'data-state': wins ? 'win' : null },
    h('td', { class: 'name stick' }, wins ? icon('tick') : '', h('a', { href: `${base}nodes/${one.node}/` }, one.node)),
    h(
      'td',
      {},
      h(
        'ul',
        { class: 'victims' },
        one.victims.map((victim) => leaving(victim, base, nowUs)),
        hidden > 0 ? h('li', { class: 'dim' }, `and ${count(hidden)} more`) : null,
      ),
    ),
    one.measures.map((value, at) => compared(one, tried, at, measure(at, value, one.victim_count, nowUs))),
  );
}

// Rules after the one that ruled a node out did not look at it any more.
function compared(one, { rules, deciding }, at, text) {
  const out = at === one.out_by;
  const unused = one.out_by >= 0 && at > one.out_by;
  return h(
    'td',
    { class: out ? 'n ruled-out' : unused ? 'n dim' : 'n', 'data-label': HEADS[at], 'data-state': at === deciding ? 'decides' : null, title: out ? `Ruled out here: ${rules[at]}` : null },
    out ? icon('cross') : '',
    text,
  );
}

const leaving = (victim, base, nowUs) =>
  h(
    'li',
    {},
    h('a', { class: 'mono', href: `${base}pods/${victim.pod}/` }, victim.pod),
    h('span', { class: 'dim' }, `priority ${victim.priority}, ${started(victim.started_us, nowUs)}`),
    victim.breaks_budget ? h('span', { class: 'chip chip-no' }, icon('warn'), 'breaks its budget') : '',
  );

const started = (startedUs, nowUs) => (startedUs === null ? 'not started' : `running for ${age(nowUs - startedUs)}`);

// The sum is written with the shift of each victim apart: that is what makes it so large.
function measure(at, value, victims, nowUs) {
  if (at === START) return value === null ? 'now' : `${age(nowUs - value)} ago`;
  if (at === SUM) return `${count(value - victims * SHIFT)} + ${victims}×2³¹`;
  return count(value);
}
