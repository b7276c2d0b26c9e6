// One waiting pod: who on the first line, why on the second. Made once, then only what changed is set.
import { h, icon, meter, setMeter, setProps, setText } from '../dom.js';
import { age, count, left, splitKey } from '../format.js';
import { backoffOf } from '../waiting.js';

const TAIL = 6; // letters at the end of a name that tell it from its siblings, and are never cut

export function podCard(base, card) {
  const [namespace, name] = splitKey(card.key);
  const cut = Math.max(0, name.length - TAIL);
  const parts = {
    rank: h('span', { class: 'pod-card-rank' }),
    priority: h('span'),
    attempts: h('span'),
    age: h('span'),
    why: h('span', { class: 'pod-card-why' }),
  };
  const node = h(
    'a',
    { class: 'pod-card', href: `${base}pods/${card.key}/`, 'data-key': card.key, title: opens(card) },
    parts.rank,
    h('span', { class: 'pod-card-name' }, h('i', {}, namespace), h('i', {}, '/'), h('b', {}, name.slice(0, cut)), h('b', {}, name.slice(cut))),
    h('span', { class: 'pod-card-meta' }, parts.priority, parts.attempts, parts.age),
    parts.why,
  );
  node.parts = parts;
  return node;
}

const opens = (card) => `${card.key}: click, and every node answers; click again for its page`;

// `context`: {lane, nowUs, arrived: Set of keys, cycle}.
export function patchCard(node, card, context) {
  const { parts } = node;
  const { lane, nowUs } = context;
  setText(parts.priority, count(card.priority));
  setText(parts.attempts, String(card.attempts));
  setText(parts.age, age(nowUs - card.since_us));
  const state = lane === 'in_flight' ? 'flight' : context.arrived.has(card.key) ? 'arrived' : null;
  setProps(node, { 'data-state': state, title: state === 'arrived' ? `${opens(card)}. Shaded: it came here with the newest change` : opens(card), 'data-next': lane === 'active' && card.rank === 1, 'aria-current': context.picked === card.key ? 'true' : null });
  if (node.rankOf !== `${lane} ${card.rank}`) {
    node.rankOf = `${lane} ${card.rank}`;
    const sign = { in_flight: 'run', gated: 'lock' }[lane];
    parts.rank.replaceChildren(sign ? icon(sign) : String(card.rank ?? ''));
  }
  const cycle = lane === 'in_flight' ? context.cycle : ''; // else every card would be written anew with every cycle
  const why = [lane, state, card.why, card.plugins?.join(), card.reason, card.gate, card.nominated_node, cycle].join('|');
  if (node.why !== why) {
    node.why = why;
    parts.why.replaceChildren(...reasons(node, card, lane, state, context));
    parts.why.hidden = !parts.why.firstChild;
  }
  if (lane === 'backoff') runBar(node, card, nowUs);
  if (lane === 'unschedulable' && node.flush) setText(node.flush, `flush ${age(card.flush_us - nowUs)}`);
}

function reasons(node, card, lane, state, { cycle }) {
  const move = card.why ? [icon('up', 'icon-s'), h('span', { class: 'clip' }, card.why)] : [];
  if (lane === 'in_flight') return [h('span', { class: 'acc clip' }, cycle || 'being scheduled')];
  if (lane === 'gated') return [h('span', { class: 'clip' }, `waiting for scheduling gates: [${card.gate ?? ''}]`)];
  if (lane === 'backoff') {
    node.bar = meter(0);
    node.leftFor = h('span', { class: 'mono' });
    const [first = card.why ?? '', ...others] = card.plugins ?? [];
    const title = [card.plugins?.join(', '), card.reason].filter(Boolean).join(': ') || null;
    return [node.bar, node.leftFor, h('span', { class: 'clip', title }, others.length ? `${first} +${others.length}` : first)];
  }
  const chips = (card.plugins ?? [])
    .slice(0, card.reason ? 1 : 2)
    .map((plugin) => h('span', { class: 'chip chip-refuse', title: plugin }, icon('cross'), h('span', {}, plugin)));
  const more = (card.plugins?.length ?? 0) - chips.length;
  if (lane === 'unschedulable' && card.reason) chips.push(h('span', { class: 'pod-card-reason', title: card.reason }, card.reason));
  if (more > 0) chips.push(h('span', { class: 'dim nowrap', title: card.plugins.slice(-more).join(', ') }, `+${more}`));
  if (lane === 'unschedulable') {
    node.flush = (card.plugins?.length ?? 0) < 2 && card.flush_us ? h('span', { class: 'clip nowrap' }) : null;
    return node.flush ? [...chips, node.flush] : chips;
  }
  const nominated = card.nominated_node ? [h('span', { class: 'clip' }, `nominated: ${card.nominated_node}`)] : [];
  return [...(card.attempts || state === 'arrived' ? move : []), ...nominated];
}

function runBar(node, card, nowUs) {
  const backoff = backoffOf(card, nowUs);
  setMeter(node.bar, backoff.share);
  setText(node.leftFor, left(backoff.left));
}
