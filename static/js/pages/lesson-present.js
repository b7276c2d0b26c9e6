// A case shown to many: one slide at a time, by keys as a presenter's remote sends them. The stage stands in the address.
import { bind, tell } from '../keys.js';
import { announce } from '../dom.js';

const page = document.querySelector('.lesson');
const bar = page.querySelector('[data-bar]');
const slides = new Map(); // stage → its parts
for (const part of page.querySelectorAll('[data-slide], [data-stage]')) {
  const stage = Number(part.dataset.slide ?? part.dataset.stage);
  slides.set(stage, [...(slides.get(stage) ?? []), part]);
}
const stages = [...slides.keys()].sort((a, b) => a - b);
const chosen = () => page.querySelector('[name=guess]:checked')?.value ?? '';
const asked = Number(new URLSearchParams(location.search).get('stage')) || 0;
let place = Math.max(0, stages.findLastIndex((stage) => stage <= asked));

function nameOf(stage) {
  return stage ? slides.get(stage)[0].querySelector('h2').textContent : 'Question';
}

function show() {
  for (const [stage, parts] of slides) for (const part of parts) part.hidden = stage !== stages[place];
  page.querySelector('[data-asked]').hidden = !place;
  bar.hidden = false;
  bar.querySelector('[data-back]').disabled = !place;
  const ends = place === stages.length - 1;
  bar.querySelector('[data-next]').hidden = ends && !bar.dataset.after;
  bar.querySelector('[data-next-text]').textContent = ends ? 'Next case' : 'Go on';
  bar.querySelector('[data-where]').textContent = `${nameOf(stages[place])} · ${place + 1} of ${stages.length}`;
}

function address() {
  const url = new URL(location.href);
  url.search = '';
  url.searchParams.set('stage', stages[place]);
  if (chosen()) url.searchParams.set('guess', chosen());
  url.search = `present&${url.searchParams}`;
  url.hash = '';
  return url;
}

function go(by) {
  const next = place + by;
  if (next < 0) return;
  if (next >= stages.length) {
    if (bar.dataset.after) location.href = bar.dataset.after;
    return;
  }
  place = next;
  const before = new URLSearchParams(location.search).get('guess') ?? '';
  if (place && chosen() !== before) { // what the room says is answered by the server
    location.replace(address());
    return;
  }
  show();
  history.replaceState(null, '', address());
  scrollTo(0, 0);
  announce(`${nameOf(stages[place])}, ${place + 1} of ${stages.length}`);
}

const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector('dialog:modal')) return;
  if (event.key === 'Escape') location.href = bar.querySelector('[data-leave]').href;
  const held = event.target.closest('input, pre, .data-table-wrap, .formula') && event.key.startsWith('Arrow');
  const space = event.key === ' ' && !event.target.closest('button, a, summary, input');
  const by = space ? (event.shiftKey ? -1 : 1) : STEPS[event.key];
  if (!by || held) return;
  event.preventDefault();
  go(by);
});
bar.addEventListener('click', ({ target }) => {
  if (target.closest('[data-back]')) go(-1);
  if (target.closest('[data-next]')) go(1);
});
tell('→', 'go on (also Space, Page Down)');
tell('←', 'back (also Page Up)');
tell('Esc', 'leave');
bind('F', 'full screen, and back', () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});
show();
