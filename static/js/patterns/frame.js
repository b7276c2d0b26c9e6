// Specimens of the frame: transport, connection, clock, what a run waits for, the timeline.
import '../elements/run-controls.js';
import '../elements/run-note.js';
import '../elements/run-until.js';
import '../elements/run-wait.js';
import '../elements/connection-chip.js';
import '../elements/cluster-clock.js';
import '../elements/event-timeline.js';

export function frameSections({ board }) {
  const writable = { ...board.cluster, can_write: true };
  const running = { ...writable, wanted: 'running', speed: 2, rate: 2 };
  const idle = board.lanes.map((lane) => (lane.name === 'active' ? { ...lane, count: 0, cards: [] } : lane));
  const controls = (text, cluster, more = {}) => ({ text, tag: 'run-controls', still: true, state: { cluster, ...more } });
  const link = (text, state) => ({ text, tag: 'connection-chip', state: { link: { state, since: Date.now() - 4000 } } });
  const wait = { ...running, next_timer_us: board.cluster.now_us + 90_000_000 };
  const until = { ...running, until: [{ aim: 'shop/huge is placed', missing: '', at_us: null }, { aim: 'cycle 400', missing: '12 more', at_us: null }] };
  const past = { ...board.cluster, seq: board.marks.at(Math.floor(board.marks.length / 2)).seq };
  return [
    {
      title: 'run-controls',
      note: 'a button that cannot be used says why',
      specimens: [
        controls('ready', writable),
        controls('running', running),
        controls('under way', writable, { command: { pending: 'step', error: '', note: '' } }),
        controls('not logged in', board.cluster),
        controls('the past', { ...writable, can_write: false }, { past: true }),
      ],
    },
    {
      title: 'run-note',
      note: 'why something was refused, or why a run stopped, until it is closed',
      specimens: [
        { text: 'refused', tag: 'run-note', still: true, state: { command: { pending: '', error: 'Pause first: the cluster is running', note: '' } } },
        { text: 'told', tag: 'run-note', still: true, state: { command: { pending: '', error: '', note: 'Undone: the Pop of shop/web-0 (cycle 7).' } } },
      ],
    },
    {
      title: 'connection-chip',
      note: 'whether what is shown is now',
      columns: 'narrow',
      specimens: ['connecting', 'live', 'reconnecting', 'behind', 'past'].map((state) => link(state, state)),
    },
    { title: 'cluster-clock', note: 'virtual time', columns: 'narrow', specimens: [{ text: 'event and time', tag: 'cluster-clock' }] },
    {
      title: 'run-wait, run-until',
      note: 'what a run waits for, and stops at',
      specimens: [
        { text: 'waits', tag: 'run-wait', state: { cluster: wait, lanes: idle } },
        { text: 'waits, beside the transport', tag: 'run-until', state: { cluster: wait, lanes: idle } },
        { text: 'stops at', tag: 'run-until', state: { cluster: until } },
      ],
    },
    {
      title: 'event-timeline',
      note: 'every event, in the order of the log; walk with arrows, drag to travel',
      wide: true,
      still: true,
      specimens: [
        { text: 'at now', tag: 'event-timeline', still: true },
        { text: 'in the past', tag: 'event-timeline', still: true, state: { cluster: past, past: true } },
        { text: 'the foot of other pages', tag: 'event-timeline', still: true, props: { 'data-size': 's' } },
      ],
    },
  ];
}
