// Buttons that copy the text of another element: <button data-copy="#id">. Pages exchange parts, so the page listens.
import { announce } from './dom.js';

const SHOWN_MS = 1500;

export function startCopying() {
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-copy]');
    if (button) copy(button);
  });
}

async function copy(button) {
  await navigator.clipboard.writeText(document.querySelector(button.dataset.copy).textContent.trim());
  announce('Copied');
  const label = button.querySelector('span');
  const before = label ? label.textContent : button.title;
  say(button, label, 'Copied');
  setTimeout(() => say(button, label, before), SHOWN_MS);
}

function say(button, label, text) {
  if (label) label.textContent = text;
  else button.title = text;
}
