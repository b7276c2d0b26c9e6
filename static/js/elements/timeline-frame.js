// What stands around the marks of the timeline: on the board a head above them, on other pages one line, on a phone two.
import { h, icon } from '../dom.js';
import { withKey } from '../keyboard.js';
import { TimelineLegend } from './timeline-legend.js';

const BRANCH = withKey('Make a new cluster that begins as this one is at the event shown', '⇧B');

const SPACED = 'One mark after the other, evenly spaced: the way between two says nothing of the time between them. The clock stands below';

// `branch()`, `turn(by)`: the buttons' work. Gives {root, total, now, time, zoom, zooms, legend}: the parts that change.
export function timelineFrame(plot, inOneLine, branch, turn) {
  const total = h('span', { class: 'dim hide-s nowrap event-total' });
  const now = h('span', { class: 'chip chip-ok' }, h('i', { class: 'dot' }), h('span', {}, 'at now'));
  const time = h('span', { class: 'mono only-m' });
  const guest = !document.documentElement.dataset.user;
  const look = { class: 'button button-quiet hide-s', type: 'button', title: guest ? 'Branch from here: log in first' : BRANCH, 'aria-disabled': guest ? 'true' : null, onclick: branch };
  const zooms = [closer('minus', 'More of the timeline', '-', -1, turn), closer('plus', 'Closer', '+', 1, turn)];
  const zoom = h('div', { class: 'row event-zoom hide-s', role: 'group', 'aria-label': 'Zoom of the timeline' }, zooms.map(([button]) => button));
  const parts = [total, h('button', look, icon('branch'), 'Branch from here'), now];
  const transport = h('run-controls', { class: 'only-m' }); // on a phone the transport stands at the thumb
  const note = h('run-note', { class: 'only-m', hidden: true }); // and what it says beside it
  const legend = new TimelineLegend();
  const root = inOneLine
    ? h('section', { class: 'time-foot', 'aria-label': 'Timeline' }, note, transport, time, plot, parts)
    : h(
        'section',
        { class: 'event-timeline', 'aria-label': 'Timeline' },
        note,
        h(
          'div',
          { class: 'event-timeline-head' },
          h('b', { class: 'hide-s', title: SPACED }, 'Timeline'),
          h('span', { class: 'dim hide-m nowrap event-spaced', title: SPACED }, 'event by event'),
          legend.root,
          transport,
          h('span', { class: 'push' }),
          time,
          zoom,
          parts,
        ),
        h('div', { class: 'event-timeline-plot' }, plot),
      );
  return { root, total, now, time, zooms, zoom, legend };
}

function closer(sign, text, key, by, turn) {
  const look = { class: 'button button-quiet button-icon', type: 'button', 'aria-label': text, title: withKey(text, key), onclick: () => turn(by) };
  return [h('button', look, icon(sign)), by];
}
