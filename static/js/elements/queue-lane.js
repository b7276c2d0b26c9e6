// One lane: its head, its list of cards, and what stands below the last card.
import { h, icon } from '../dom.js';
import { count } from '../format.js';

export const LANES = {
  in_flight: ['In flight', '', 'No pod is being scheduled.'],
  active: ['ActiveQ', 'priority ↓, then time', 'No pod waits to be scheduled.'],
  backoff: ['BackoffQ', 'expiry ↑', 'No pod waits out a backoff.'],
  unschedulable: ['Unschedulable', 'until an event helps', 'No pod was refused by every node.'],
  gated: ['Gated', '', 'No pod is held by a gate.'],
};

// What the last column counts: the second key of the order.
export const QUEUED = 'time since it was added, or last refused';

// {root, figure, list, rest}: the parts of an empty lane.
export function laneOf(name) {
  const [title, rule] = LANES[name];
  const parts = {
    figure: h('span', { class: 'queue-lane-count' }),
    list: h('div', { class: 'queue-lane-list' }),
    rest: h('div', { class: 'queue-lane-rest' }),
  };
  const head = [
    h('h3', {}, title),
    parts.figure,
    h('span', { class: 'queue-lane-rule' }, name === 'gated' ? icon('lock', 'icon-s') : rule),
  ];
  parts.root =
    name === 'gated'
      ? h(
          'details',
          { class: 'queue-lane', 'data-lane': name },
          h('summary', { class: 'queue-lane-head' }, icon('right', 'icon-s icon-chev'), head),
          columns(),
          parts.list,
          parts.rest,
        )
      : h(
          'section',
          { class: 'queue-lane', 'aria-label': title, 'data-lane': name },
          h('header', { class: 'queue-lane-head' }, head),
          columns(),
          parts.list,
          parts.rest,
        );
  return parts;
}

// Below the cards: the lane is empty, `filtered` cards are hidden, `hidden` cards were not sent yet.
export function restOf(lane, hidden, filtered, more) {
  if (!lane.count) return [h('p', { class: 'queue-lane-empty' }, LANES[lane.name][2])];
  const made = [];
  if (filtered) made.push(h('p', { class: 'queue-lane-more' }, `${count(filtered)} hidden by the filter`));
  if (hidden > 0)
    made.push(
      h(
        'p',
        { class: 'queue-lane-more' },
        h('span', {}, `${count(hidden)} more`),
        h('button', { class: 'button button-quiet', type: 'button', onclick: more }, 'Show next'),
      ),
    );
  return made;
}

function columns() {
  return h(
    'div',
    { class: 'pod-card pod-card-cols', 'aria-hidden': 'true' },
    h('span'),
    h('span', { class: 'pod-card-name' }, 'pod'),
    h('span', { class: 'pod-card-meta' }, h('span', {}, 'priority'), h('span', {}, 'try'), h('span', { title: QUEUED }, 'queued')),
  );
}
