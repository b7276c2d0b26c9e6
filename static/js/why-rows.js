// The table of every node without a screen: which rows are wanted, in which order, and what each says besides amounts.
import { count } from './format.js';
import { inOneUnit } from './quantity.js';

const FIT = 'NodeResourcesFit';
const FULL = 'Too many pods';
const LIST = new Intl.ListFormat('en-GB');

export const shown = ([plugin, reason]) => plugin !== FIT || reason === FULL;

// Each resource with how its column is written: one unit for all rows.
export function measured(nodes) {
  const resources = nodes.resources.map((one) => ({ ...one, written: inOneUnit(one.name, [one.asked, ...one.free, ...one.allocatable]) }));
  return { ...nodes, resources };
}

// Columns that would say the same of every node are left out.
export const hasPlaces = ({ zones, types }) => zones.some(Boolean) || types.some(Boolean);
export const isShort = (resource) => resource.free.some((free) => free < resource.asked);
export const hasOthers = (nodes) => Boolean(nodes.kept) || nodes.reasons.some((one, number) => shown(one) && nodes.of.some((of) => of.includes(number)));

// `node(s) had untolerated taint {dedicated: ml}` → `untolerated taint {dedicated: ml}`: the cell has little room.
export const brief = (reason) =>
  reason
    .replace(/^node\(s\) (were |had )?/, '')
    .replace(/^(didn't|did not) match Pod's /, 'other ')
    .replace(/^unschedulable$/, 'cordoned');

// Indices of the nodes that a text and a reason leave. Every word of the text must be found somewhere.
export function wanted(nodes, text, reason) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const number = nodes.reasons.findIndex(([, one]) => one === reason);
  const told = nodes.reasons.map((one) => one.join(' ').toLowerCase());
  return nodes.names.flatMap((name, at) => {
    if (reason && !nodes.of[at].includes(number)) return [];
    const all = `${name} ${nodes.zones[at]} ${nodes.types[at]} ${nodes.kept?.[at] ?? ''} ${nodes.of[at].map((one) => told[one]).join(' ')}`.toLowerCase();
    return words.every((word) => all.includes(word)) ? [at] : [];
  });
}

// `sort`: near (the server's order), name, zone, reasons, total, changed, or a resource by what is free; `-` turns it round.
export function ordered(nodes, rows, sort) {
  const [name, turn] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
  const value = key(nodes, name);
  if (!value) return rows;
  return [...rows].sort((a, b) => turn * compare(value(a), value(b)) || a - b);
}

const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : a - b);

function key(nodes, name) {
  const resource = nodes.resources.find((one) => one.name === name);
  if (resource) return (at) => -resource.free[at];
  return {
    name: (at) => nodes.names[at],
    zone: (at) => nodes.zones[at] + nodes.types[at],
    reasons: (at) => nodes.of[at].length,
    total: (at) => -(nodes.totals?.[at] ?? -1),
    changed: (at) => (nodes.before?.[at] ? 0 : 1),
  }[name];
}

// `90 short of gpu, 78 of cpu, 62 of memory`: over the nodes that are listed; of one alone `short of gpu and cpu`.
export function shortages(nodes, rows, shorten) {
  const short = nodes.resources
    .map((one) => [shorten(one.name), rows.filter((at) => one.free[at] < one.asked).length])
    .filter(([, number]) => number)
    .sort((a, b) => b[1] - a[1]);
  if (rows.length === 1 && short.length) return `short of ${LIST.format(short.map(([name]) => name))}`;
  return short.map(([name, number], at) => `${count(number)} ${at ? '' : 'short '}of ${name}`).join(', ');
}
