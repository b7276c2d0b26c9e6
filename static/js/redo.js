// Undo leaves the log as it was, with one event more: going back to before that event is a redo. Kept for this tab.
import { send } from './commands.js';

const KEPT = 'podium-redo ';
const NOTHING = 'There is nothing to redo: nothing was undone here, or something else has happened since.';

// [{to: the event to go back to, at: the head at which that is a redo}], the newest last.
function read(base) {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT + base)) ?? [];
  } catch {
    return [];
  }
}

function write(base, undone) {
  try {
    sessionStorage.setItem(KEPT + base, JSON.stringify(undone));
  } catch {
    /* no redo, then */
  }
}

// What is left to redo once the last was: the head has moved on, the state has not. Pure.
export function redone(undone, seq) {
  const rest = undone.slice(0, -1);
  return rest.length ? [...rest.slice(0, -1), { ...rest.at(-1), at: seq }] : rest;
}

export async function undo(store, base) {
  const { seq } = store.state.cluster;
  const answer = await send(store, base, { command: 'undo' });
  if (!answer?.ok) return;
  const undone = read(base);
  write(base, [...(undone.at(-1)?.at === seq ? undone : []), { to: answer.seq - 1, at: answer.seq }]);
}

export async function redo(store, base) {
  const undone = read(base);
  const last = undone.at(-1);
  if (last?.at !== store.state.cluster.seq) return store.dispatch({ type: 'command', command: { error: NOTHING, note: '' } });
  const answer = await send(store, base, { command: 'reset', seq: last.to });
  if (answer?.ok) write(base, redone(undone, answer.seq));
  return answer;
}
