// A run flat out is over soon, and is no choice of a speed: afterwards the speed is again what it was.
import { send } from './commands.js';

const KEPT = 'podium-speed ';
const SHORTEST_MS = 3000; // a run of which this page never heard that it went

function keep(base, speed) {
  try {
    if (speed === null) sessionStorage.removeItem(KEPT + base);
    else sessionStorage.setItem(KEPT + base, speed);
  } catch {
    /* the speed stays flat out, then */
  }
}

function kept(base) {
  try {
    const speed = sessionStorage.getItem(KEPT + base);
    return speed === null ? null : Number(speed);
  } catch {
    return null;
  }
}

export async function runFlatOut(store, base, until) {
  const { speed } = store.state.cluster;
  const answer = await send(store, base, { command: 'run', speed: 0, until });
  if (!answer?.ok || !speed) return;
  keep(base, speed);
  setTimeout(() => store.state.cluster.wanted === 'paused' && restore(store, base), SHORTEST_MS);
}

function restore(store, base) {
  const speed = kept(base);
  if (speed === null) return;
  keep(base, null);
  if (store.state.cluster.speed === 0) send(store, base, { command: 'speed', speed });
}

// Also where the run was begun on another page of this tab.
export function restoreSpeed(store, base) {
  let ran = store.state.cluster.wanted === 'running';
  if (!ran && kept(base) !== null) restore(store, base);
  store.addEventListener('change', () => {
    const runs = store.state.cluster.wanted === 'running';
    if (ran && !runs) restore(store, base);
    ran = runs;
  });
}
