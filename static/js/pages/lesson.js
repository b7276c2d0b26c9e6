// A case played stage by stage: what comes later is hidden until then. The stage stands in the address.
import { bind } from '../keys.js';
import { keep } from './lesson-done.js';

const page = document.querySelector('.lesson');
const bar = page.querySelector('[data-stages]');
const parts = [...page.querySelectorAll('[data-stage]')];
const LAST = 4;

function show(stage, moved) {
  for (const part of parts) part.hidden = Number(part.dataset.stage) > stage;
  for (const chip of bar.querySelectorAll('[data-go]')) {
    if (Number(chip.dataset.go) === stage) chip.setAttribute('aria-current', 'step');
    else chip.removeAttribute('aria-current');
  }
  bar.querySelector('[data-next]').hidden = stage >= LAST;
  if (stage >= LAST) keep(page.dataset.lesson, page.dataset.right);
  if (!moved) return;
  const address = new URL(location.href);
  address.searchParams.set('stage', stage);
  history.replaceState(null, '', address);
  const part = parts.find((one) => Number(one.dataset.stage) === stage);
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: 'nearest' });
}

if (bar) {
  let stage = Math.min(LAST, Math.max(1, Number(new URLSearchParams(location.search).get('stage')) || 1));
  bar.hidden = false;
  bar.addEventListener('click', (event) => {
    const chip = event.target.closest('[data-go]');
    if (chip) stage = Number(chip.dataset.go);
    else if (event.target.closest('[data-next]')) stage += 1;
    else return;
    show(stage, true);
  });
  show(stage, false);
  if (!new URLSearchParams(location.search).has('cell')) bar.scrollIntoView({ block: 'start' });
} else if (page.dataset.right) keep(page.dataset.lesson, page.dataset.right);

// The same stage, large.
const present = page.querySelector('[data-present]');
present.addEventListener('click', () => {
  const stage = new URLSearchParams(location.search).get('stage');
  if (stage) present.search += `&stage=${stage}`;
});
bind('P', 'present: large, one stage after the other', () => present.click());
