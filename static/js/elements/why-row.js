// One node of the table of every node.
import { h, icon } from '../dom.js';
import { shortResource } from '../format.js';
import { brief, hasOthers, hasPlaces, isShort, shown } from '../why-rows.js';

const NEW = -1;
const LONG = 24; // letters of a name from which on it may break
const TAIL = 10; // letters of it that stay
const LOOKS = ['feasible', 'refused', 'not looked at'];

export function nodeRow(nodes, at, open, base) {
  const name = nodes.names[at];
  const reasons = nodes.of[at].map((number) => nodes.reasons[number]);
  const others = reasons.filter(shown);
  const kept = nodes.kept?.[at];
  const against = [...others.map(([, reason]) => brief(reason)), ...(kept ? [`kept free for ${kept}`] : [])];
  const earlier = nodes.before?.[at];
  return h(
    'tr',
    { 'data-node': name, 'data-state': earlier ? 'changed' : null },
    h('td', { class: 'name stick' }, h('div', { class: name.length > LONG ? 'why-name long' : 'why-name' }, open, h('a', { href: `${base}nodes/${encodeURIComponent(name)}/` }, name.length > LONG ? cut(name) : name))),
    hasPlaces(nodes) ? h('td', { class: 'dim nowrap hide-s' }, [nodes.types[at], nodes.zones[at]].filter(Boolean).join(' · ')) : [],
    nodes.totals ? total(nodes, at) : [],
    nodes.resources.flatMap((one) => amounts(one, at, reasons)),
    !hasOthers(nodes) ? [] : h('td', { class: against.length ? 'no why-others' : 'dim', title: told(others, kept) }, against.join(' · ')),
    h('td', { class: reasons.length ? 'n why-count' : 'n why-count ok' }, reasons.length ? [reasons.length, h('span', { class: 'only-m' }, reasons.length === 1 ? ' reason' : ' reasons')] : [icon('tick', 'icon-s inline'), h('span', { class: 'vh' }, LOOKS[nodes.verdicts[at]])]),
    nodes.before ? before(nodes, earlier) : [],
  );
}

// On a phone it loses its middle.
const cut = (name) => h('span', { class: 'cut', title: name }, h('span', { class: 'mid' }, name.slice(0, -TAIL)), name.slice(-TAIL));

const total = (nodes, at) => h('td', { class: nodes.totals[at] === null ? 'n dim' : 'n strong', 'data-label': nodes.totals[at] === null ? '' : 'total' }, nodes.totals[at] ?? LOOKS[nodes.verdicts[at]]);

const told = (others, kept) => [...others.map((one) => one.join(': ')), ...(kept ? [`${kept}: nominated there by preemption`] : [])].join('\n') || null;

// What is short stands in a column of its own, on a phone right behind the amount.
function amounts(resource, at, reasons) {
  const { asked, free, allocatable, written } = resource;
  const missing = asked - free[at];
  const isKept = reasons.some(([, reason]) => reason === `Insufficient ${resource.name}`);
  const lack = missing > 0 ? `−${written(missing)}`.replace('−≈', '≈−') : isKept ? 'kept' : '';
  const amount = h('td', { class: 'n', 'data-label': shortResource(resource.name) }, written(free[at]), ' ', h('span', { class: 'dim' }, `/ ${written(allocatable[at])}`), lack ? h('span', { class: 'no only-m' }, ` ${lack}`) : '');
  if (!isShort(resource)) return [amount];
  return [amount, lack ? h('td', { class: 'n no hide-s' }, lack) : h('td', { class: 'n ok hide-s' }, icon('tick', 'icon-s inline'), h('span', { class: 'vh' }, 'enough'))];
}

function before(nodes, earlier) {
  if (!earlier) return h('td', { class: 'dim why-same' }, 'same');
  if (earlier[0] === NEW) return h('td', {}, h('span', { class: 'chip chip-acc' }, h('span', {}, 'new node')));
  const text = earlier.map((number) => brief(nodes.reasons[number][1])).join(' · ') || 'fitted';
  return h('td', { class: 'why-others' }, h('span', { class: 'chip chip-acc' }, h('span', {}, 'changed')), ' ', h('span', { class: 'dim' }, text));
}
