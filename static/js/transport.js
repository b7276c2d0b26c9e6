// The frame's store, its websocket and the transport keys; pages with more state start it with theirs.
import { Store, initial } from './store.js';
import { Live } from './live.js';
import { paintOn } from './paint.js';
import { bind } from './keys.js';
import { send } from './commands.js';
import { startTicking } from './ticking.js';
import './elements/cluster-clock.js';
import './elements/connection-chip.js';
import './elements/run-controls.js';
import './elements/profile-name.js';

const FRAME = 'cluster-clock, connection-chip, run-controls, profile-name';

// `server`: a BoardState or a part with `cluster`; without it the figures that the frame's HTML carries.
export function startTransport(
  server = { cluster: fromHtml() },
  { ui = {}, panels = '', whole = false, past = false, explain = null } = {},
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
    startTicking(store);
  }
  paintOn(store, all);
  const give = (command) => () => send(store, base, { command });
  bind('B', 'back one event', () => {
    if (store.state.cluster.seq > 1) location.href = `${base}?at=${store.state.cluster.seq - 1}`;
  });
  bind('S', 'step one cycle', give('step'));
  bind('⇧S', 'step one phase', give('step-phase'));
  bind('X', 'move the clock to the next timer', give('advance'));
  bind('Space', 'run or pause', () =>
    send(store, base, { command: store.state.cluster.wanted === 'running' ? 'pause' : 'run' }),
  );
  return { store, live, base };
}

function fromHtml() {
  const { seq, now, start, wanted, speed, write } = document.documentElement.dataset;
  return {
    seq: Number(seq),
    head_seq: Number(seq),
    now_us: Number(now),
    start_us: Number(start),
    wanted,
    wanted_reason: '',
    speed: Number(speed),
    can_write: write === 'yes',
    profiles: [],
  };
}
