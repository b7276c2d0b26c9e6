// The graph's figures as a table: what is in each place, and one line a kind of move, with its event and its hint.
import { h } from '../dom.js';
import { count } from '../format.js';
import { WORDS, placeHref } from './queue-words.js';

// `at`: {at: seq} in the past, else {}.
export function edgeTable(flow, base, at) {
  const rows = flow.edges.flatMap((edge) => edge.causes.map((cause) => ({ ...edge, ...cause })));
  const none = h('tr', {}, h('td', { colspan: 5, class: 'dim' }, 'No pod has moved yet.'));
  return [
    h('dl', { class: 'flow-places', 'aria-label': 'Pods there now' }, ...flow.places.map(place(base))),
    h(
      'table',
      { class: 'data-table flow-table' },
      h('caption', { class: 'vh' }, 'Moves between the lanes, by event and hint'),
      h('thead', {}, h('tr', {}, head('from'), head('to'), head('event'), head('hint that decided'), head('moves', 'n'))),
      h('tbody', {}, rows.length ? rows.map((row) => line(row, base, at)) : none),
    ),
  ];
}

const place = (base) => ({ name, count: pods }) => h('div', {}, h('dt', {}, h('a', { href: placeHref(base, name) }, WORDS[name])), h('dd', {}, count(pods)));

const head = (text, looks = null) => h('th', { scope: 'col', class: looks }, text);

function line({ source, target, cause, means, hint, count: moves }, base, at) {
  const exactly = { from: source, to: target, event: cause, ...(hint ? { plugin: hint } : {}) };
  const query = new URLSearchParams({ ...exactly, ...at });
  return h(
    'tr',
    {},
    h('td', { class: 'nowrap' }, WORDS[source]),
    h('td', { class: 'nowrap' }, WORDS[target]),
    h('td', {}, h('span', { class: 'mono' }, cause), ' ', h('span', { class: 'dim' }, means)),
    h('td', {}, hint || h('span', { class: 'dim' }, '<none>')),
    h('td', { class: 'n' }, h('a', { href: `${base}moves/?${query}` }, count(moves))),
  );
}
