// The frame's store, its websocket and the transport keys; pages with more state start it with theirs.
import { Store, initial } from './store.js';
import { Live } from './live.js';
import { paintOn } from './paint.js';
import { bind, order } from './keys.js';
import { branch, runs, send } from './commands.js';
import { runFlatOut, restoreSpeed } from './flat-out.js';
import { startAges } from './ages.js';
import { startWaysBack } from './way-back.js';
import { startTicking } from './ticking.js';
import { IDLE } from './until.js';
import { past as inPast } from './past.js';
import './elements/cluster-clock.js';
import './elements/connection-chip.js';
import './elements/run-controls.js';
import './elements/run-note.js';
import './elements/run-until.js';
import './elements/profile-name.js';
import './elements/event-timeline.js';

let begun;
// What the frame or the page's own script has started: {store, live, base}.
export const running = new Promise((resolve) => {
  begun = resolve;
});

const FRAME = 'cluster-clock, connection-chip, run-controls, run-note, run-until, profile-name, event-timeline';

// `server`: a BoardState or a part with `cluster`; without it the figures that the frame's HTML carries.
export function startTransport(
  server = { cluster: fromHtml() },
  { ui = {}, panels = '', whole = false, past = inPast, explain = null } = {},
) {
  const base = document.documentElement.dataset.base;
  const store = new Store({ ...initial(server, ui), past });
  const live = new Live(store, base, whole);
  const room = { base, live, explain: explain?.(store, base) };
  const all = [];
  // Panels may hold others (the phone's transport stands in the timeline), so look again until none is new.
  for (
    let found;
    (found = [...document.querySelectorAll(panels ? `${FRAME}, ${panels}` : FRAME)].filter(
      (panel) => !all.includes(panel),
    )).length;
  ) {
    all.push(...found);
    for (const panel of found) panel.start?.(store, room);
  }
  if (past) store.dispatch({ type: 'link', link: { state: 'past' } });
  else {
    live.open();
    restoreSpeed(store, base);
    startTicking(store);
    startAges(store);
    startWaysBack(store);
  }
  paintOn(store, all);
  const give = (command) => () => send(store, base, { command });
  bind('B', 'back one event', () => {
    if (store.state.cluster.seq > 1) location.href = `${base}?at=${store.state.cluster.seq - 1}`;
  });
  bind('E', 'step one event: whatever comes next', give('event'));
  bind('I', 'run flat out until idle, 1,000 cycles at most', () => runFlatOut(store, base, IDLE));
  bind('Z', 'undo the last action', give('undo'));
  bind('Ctrl Z', 'undo the last action', give('undo')); // listed beside Z
  bind('Ctrl ⇧Z', 'redo what was undone last', give('redo'));
  bind('N', 'name a new cluster that begins here: a branch', () => {
    location.href = `${base}time/${past ? `?at=${store.state.cluster.seq}` : ''}#h-undo`;
  });
  bind('⇧B', 'branch into a new cluster from here at once', () => branch(store, base));
  bind('S', 'step one cycle', give('step'));
  bind('⇧S', 'step one phase', give('step-phase'));
  bind('X', 'move the clock to the next timer', give('advance'));
  bind('Space', 'run or pause', () =>
    send(store, base, { command: runs(store.state) ? 'pause' : 'run' }),
  );
  order('run until', 'bound, idle, cycle=+10, time=+30s, active=0 …', (until) => send(store, base, { command: 'run', until }));
  order('cordon', 'node', (node) => send(store, base, { command: 'cordon', node }));
  order('uncordon', 'node', (node) => send(store, base, { command: 'uncordon', node }));
  for (const verb of ['drain', 'edit', 'clone', 'delete'])
    order(verb, 'node', (node) => { location.href = `${base}nodes/${node}/${verb}/`; });
  begun({ store, live, base });
  return { store, live, base };
}

function fromHtml() {
  const { seq, at, now, start, wanted, speed, rate, write } = document.documentElement.dataset;
  return {
    seq: Number(at ?? seq),
    head_seq: Number(seq),
    now_us: Number(now),
    start_us: Number(start),
    wanted,
    wanted_reason: '',
    speed: Number(speed),
    rate: Number(rate),
    can_write: write === 'yes',
    profiles: [],
  };
}
