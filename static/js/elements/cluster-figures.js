// The cluster pane's summary figures, an empty zone to fill, and what the marks mean.
import { h } from '../dom.js';
import { count, percent, plural, shortResource } from '../format.js';
import { adding } from '../origin.js';
import { CORDONED, DOWN, OVER, scale, sign } from './node-legend.js';

// `foreign`: pods that no scheduler here is responsible for.
export function figures(map, foreign) {
  const free = map.largest_free;
  const stats = [
    ['Pods', count(map.pods_bound), map.pods_waiting ? `+${count(map.pods_waiting)} waiting` : '', `on a node, and in the queues, gated ones included${foreign ? `; ${plural(foreign, 'pod')} more of other schedulers, Pending too` : ''}`],
    ['cpu', percent(map.cpu)],
    ['memory', percent(map.memory)],
  ];
  if (map.extra !== null) stats.push([shortResource(map.extra_name), percent(map.extra)]);
  if (free.node)
    stats.push(['Largest free block', `${free.cpu} cpu`, free.node, `Free on ${free.node}: ${free.exact}`]);
  return stats.map(([name, figure, small, title]) =>
    h(
      'div',
      { class: 'stat', title: title ?? 'requested, of allocatable' },
      h('dt', {}, name),
      h('dd', {}, figure, small ? h('small', {}, ` ${small}`) : ''),
    ),
  );
}

export const zone = () =>
  h(
    'section',
    { class: 'node-zone' },
    h(
      'header',
      { class: 'node-zone-head' },
      h('b'),
      h('span', { class: 'dim' }),
      h('span', { class: 'push mono dim' }),
    ),
    h('div'),
  );

export const noNodes = () =>
  h(
    'div',
    { class: 'empty' },
    h('h3', {}, 'This cluster has no nodes'),
    h('p', {}, h('a', { href: '/import/' }, 'Import'), ' a cluster, or ', h('a', { href: adding('node') }, 'add a node'), '.'),
  );

const TILES = ['squares: pods, by owner in colour and fill', 'bars: cpu, then memory or the busiest extended resource'];
const LEADS = [{ share: 0.2, look: '', marked: true }, 'leads or ties'];
const REFUSED = [{ share: 0, look: 'off' }, 'refused'];

// What the marks of a view mean; `view`: tiles or map.
export const key = (view) =>
  view === 'map'
    ? [scale('cpu'), ...[LEADS, REFUSED, CORDONED, DOWN, OVER].map((one) => sign(...one))]
    : TILES.map((words) => h('span', {}, words));
