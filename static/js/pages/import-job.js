// The page of one import: asks how far it is until it has ended, then shows the server's account of it.
import '../elements/import-steps.js';
import { startCopying } from '../copy.js';
import { age, SECOND } from '../format.js';

const FIRST_MS = 80;
const EVERY_MS = 500;
const PATIENCE_MS = 4000;
let every = FIRST_MS;
const steps = document.querySelector('import-steps[data-state-url]');

startCopying();
if (steps) ask();

async function ask() {
  every = Math.min(every * 2, EVERY_MS);
  let wait = every;
  try {
    const answer = await fetch(steps.dataset.stateUrl, { headers: { Accept: 'application/json' } });
    if (!answer.ok) throw new Error(answer.statusText);
    const { ended, seconds, waits, steps: now } = await answer.json();
    if (ended) { location.reload(); return; }
    steps.update(now);
    document.querySelector('[data-elapsed]').textContent = waits || `Working for ${age(seconds * SECOND)}`;
  } catch {
    wait = PATIENCE_MS;
  }
  setTimeout(ask, wait);
}
