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
  if (label) {
    const before = (label.dataset.before ??= label.textContent); // who clicks twice does not make `Copied` its name
    label.textContent = 'Copied';
    setTimeout(() => { label.textContent = before; }, SHOWN_MS);
    return;
  }
  const sign = button.querySelector('use');
  const before = (sign.dataset.before ??= sign.getAttribute('href'));
  sign.setAttribute('href', before.replace(/#.*/, '#i-tick'));
  setTimeout(() => sign.setAttribute('href', before), SHOWN_MS);
}
