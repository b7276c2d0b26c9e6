// The library: which cases this browser has seen to their end.
import { done } from './lesson-done.js';

const seen = done();
for (const card of document.querySelectorAll('[data-lesson]')) {
  const mark = card.querySelector('[data-lesson-done]');
  const how = seen[card.dataset.lesson];
  mark.hidden = !how;
  if (how) mark.querySelector('span').textContent = how === 'yes' ? 'guessed right' : 'done';
}
const total = document.querySelectorAll('[data-lesson]').length;
const line = document.querySelector('[data-learn-done]');
const count = Object.keys(seen).length;
line.hidden = !count;
line.textContent = `${Math.min(count, total)} of ${total} done`;
