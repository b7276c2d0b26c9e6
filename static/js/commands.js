// What a person asks of the cluster. One command at a time, what is asked meanwhile follows it; a refusal becomes a sentence
// beside the buttons.
export function csrf() {
  const field = document.querySelector('input[name=csrfmiddlewaretoken]');
  return field ? field.value : (document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? '');
}

// Why a command cannot be given now; '' if it can.
export function blocked(state, name) {
  const { cluster } = state;
  if (state.past) return name !== 'branch' ? 'This is the past: go back to now first' : document.documentElement.dataset.user ? '' : LOG_IN;
  if (!cluster.can_write) return mayNot();
  if (cluster.wanted === 'running' && ['step', 'step-phase', 'event', 'advance', 'undo', 'redo', 'reset'].includes(name))
    return 'Pause first: the cluster is running';
  return '';
}

export const LOG_IN = 'Log in to step, run or branch.';
const NO_PERMISSION =
  'You may look but not change: the permission “Can change cluster” is missing. An administrator gives it under Admin, Users.';

// What is missing: a login, or, for one who is logged in, the permission.
const mayNot = () => (document.documentElement.dataset.user ? NO_PERMISSION : LOG_IN);

let underWay = false;
const waiting = []; // {body, begin(), drop()}: at most one of a kind, so that a key held down does not go on when it is let go

// Whether a run is on, once all that was asked for is done.
export function runs({ cluster, command }) {
  const last = [command.next, command.pending].find((name) => name === 'run' || name === 'pause');
  return last ? last === 'run' : cluster.wanted === 'running';
}

export function send(store, base, body) {
  if (!underWay) return serve(store, base, body);
  const same = waiting.findIndex((one) => one.body.command === body.command);
  if (same >= 0) waiting.splice(same, 1)[0].drop();
  return new Promise((done) => {
    waiting.push({ body, begin: () => done(serve(store, base, body)), drop: () => done(null) });
    store.dispatch({ type: 'command', command: { next: body.command } });
  });
}

async function serve(store, base, body) {
  underWay = true;
  const answer = await give(store, base, body).finally(() => {
    underWay = false;
  });
  if (!answer?.ok) for (const one of waiting.splice(0)) one.drop(); // they were to follow what was not done
  if (waiting.length) waiting.shift().begin();
  else store.dispatch({ type: 'command', command: { next: '' } });
  return answer;
}

async function give(store, base, body) {
  const why = blocked(store.state, body.command);
  if (why) {
    store.dispatch({ type: 'command', command: { error: why, note: '' } });
    return null;
  }
  store.dispatch({ type: 'command', command: { pending: body.command, error: '', note: '', undone: false } });
  let error = '';
  let answer = null;
  try {
    const response = await fetch(`${base}commands/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrftoken': csrf() },
      body: JSON.stringify(body),
    });
    const json = response.headers.get('content-type')?.startsWith('application/json');
    answer = json
      ? await response.json()
      : { ok: false, error: `The server answered ${response.status}; its log says why.` };
    if (!answer.ok) error = answer.error;
  } catch {
    error = 'The server did not answer. Nothing is known to have been written.';
  }
  store.dispatch({ type: 'command', command: { pending: '', error, note: told(answer), undone: Boolean(answer?.undone), seq: answer?.seq ?? 0 } });
  return answer;
}

const told = (answer) => (answer?.undone ? `Undone: ${answer.undone}.` : answer?.redone ? `Redone: ${answer.redone}.` : '');

// A new cluster from the event on screen, and there.
export async function branch(store, base) {
  const { cluster, past } = store.state;
  const answer = await send(store, base, { command: 'branch', seq: past ? cluster.seq : undefined });
  if (answer?.ok) location.href = answer.address;
}
