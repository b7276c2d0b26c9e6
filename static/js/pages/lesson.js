// A case played stage by stage: what comes later is hidden until then. The stage stands in the address.
import { bind } from '../keys.js';
import { keep } from './lesson-done.js';

const page = document.querySelector('.lesson');
const bar = page.querySelector('[data-stages]');
const on = page.querySelector('[data-next-row]');
const parts = [...page.querySelectorAll('[data-stage]')];
const asked = new URLSearchParams(location.search);
const LAST = 4;
let stage = Math.min(LAST, Math.max(1, Number(asked.get('stage')) || 1));

// Who goes on by keys, or listens, goes on there: the parts before it are passed.
function lead(part) {
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

function show() {
  for (const part of parts) part.hidden = Number(part.dataset.stage) > stage;
  for (const chip of bar.querySelectorAll('[data-go]')) {
    if (Number(chip.dataset.go) === stage) chip.setAttribute('aria-current', 'step');
    else chip.removeAttribute('aria-current');
  }
  on.hidden = stage >= LAST;
  if (!on.hidden) {
    parts.findLast((part) => !part.hidden).after(on);
    on.querySelector('[data-next-text]').textContent = `Next: ${bar.querySelector(`[data-go="${stage + 1}"]`).dataset.name}`;
  }
  if (stage >= LAST) keep(page.dataset.lesson, page.dataset.right);
}

function go(to) {
  if (to < 1 || to > LAST) return;
  stage = to;
  show();
  const address = new URL(location.href);
  address.searchParams.set('stage', stage);
  history.replaceState(null, '', address);
  const part = parts.find((one) => Number(one.dataset.stage) === stage);
  lead(part);
  on.scrollIntoView({ block: 'nearest' });
  part.scrollIntoView({ block: 'nearest' });
}

if (bar) {
  bar.hidden = false;
  bar.addEventListener('click', ({ target }) => target.closest('[data-go]') && go(Number(target.closest('[data-go]').dataset.go)));
  on.addEventListener('click', ({ target }) => target.closest('[data-next]') && go(stage + 1));
  bind(']', 'next stage', () => go(stage + 1), () => stage < LAST);
  bind('[', 'stage before', () => go(stage - 1), () => stage > 1);
  show();
} else if (page.dataset.right) keep(page.dataset.lesson, page.dataset.right);

// To the arithmetic of a cell the browser leads by itself.
const guessed = asked.has('guess') && document.referrer.split('?')[0] === location.origin + location.pathname;
if (parts.length && asked.has('guess') && !asked.has('cell')) {
  if (guessed) lead(parts.find((part) => Number(part.dataset.stage) === (bar ? stage : LAST)));
  (bar ?? parts[0]).scrollIntoView({ block: 'start' });
}

// The same stage, large.
const present = page.querySelector('[data-present]');
present.addEventListener('click', () => {
  const at = new URLSearchParams(location.search).get('stage');
  if (at) present.search += `&stage=${at}`;
});
bind('P', 'present: large, one stage after the other', () => present.click());
