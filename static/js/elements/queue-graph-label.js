// The label of a line of the graph: its count, and its causes in two lines that keep within their room. Pure.
import { count } from '../format.js';

const [HALF, LINE] = [10, 13]; // px: half of a count's pill; from one line of words to the next
const FIRST = 23; // from the line down to the foot of the first words
const LETTER = 7.3; // px, of a figure in the count
const AIR = 5; // px that words keep from the ends of their room

const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const wide = (figure) => Math.round(15 + LETTER * figure.length);

// {pill: [x, y, width, height], figure, texts: [{text, x, y, anchor, box}]}. `measure(text)`: its width in px.
export function labelOf(edge, { x, y, room, beside, most }, measure) {
  const whole = count(edge.count);
  const figure = wide(whole) <= most ? whole : SHORT.format(edge.count);
  const width = wide(figure);
  const start = beside ? x + width / 2 + 8 : x;
  const free = beside ? room[1] - start : room[1] - room[0] - 2 * AIR;
  const texts = told(edge, free, measure, beside).map((text, at) => {
    const foot = beside ? y - 2 + at * LINE : y + FIRST + at * LINE;
    const long = measure(text);
    const left = beside ? start : x - long / 2;
    return { text, x: start, y: foot, anchor: beside ? 'start' : 'middle', box: [left, foot - 10, long, LINE] };
  });
  if (beside && texts.length === 1) texts[0].y += 6;
  return { pill: [x - width / 2, y - HALF, width, 2 * HALF], figure, texts };
}

// One cause: its name and what it means. More: the first two with their counts, and how many others there are.
function told({ causes }, free, measure, beside) {
  const kinds = new Map();
  for (const one of causes) kinds.set(one.cause, { ...one, count: one.count + (kinds.get(one.cause)?.count ?? 0) });
  const all = [...kinds.values()];
  if (all.length === 1) {
    const { cause, means } = all[0];
    return ((beside && broken(cause, free, measure)) || [cause, means]).filter(Boolean).map((text) => fit(text, '', free, measure)).filter(Boolean);
  }
  const more = ['', all.length > 2 ? ` +${all.length - 2}` : ''];
  const named = ({ cause, count: moves }, at) =>
    fit(cause, ` ${count(moves)}${more[at]}`, free, measure) || fit(cause, more[at], free, measure);
  return all.slice(0, 2).map(named).filter(Boolean);
}

// A name in two lines, broken before a capital, where it is too long for one and each half has room; it takes the place
// of what it means, as there are two lines.
function broken(name, free, measure) {
  const humps = name.split(/(?<=[a-z])(?=[A-Z])/);
  const halves = humps.map((_, at) => [humps.slice(0, at).join(''), humps.slice(at).join('')]).reverse();
  const fits = (half) => measure(half) <= free;
  return fits(name) ? null : halves.find(([head, rest]) => head && fits(head) && fits(rest));
}

// `text` cut so that it and `end` take no more than `free` px; '' where not even a few letters would.
export function fit(text, end, free, measure) {
  if (measure(text + end) <= free) return text + end;
  let length = text.length - 1;
  while (length > 2 && measure(`${text.slice(0, length)}…${end}`) > free) length -= 1;
  return length > 2 ? `${text.slice(0, length)}…${end}` : '';
}
