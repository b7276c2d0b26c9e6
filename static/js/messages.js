// What a page says of a deed: told to readers of screens, and gone once it is read. Errors and warnings stay until they
// are dismissed; good news go when somebody who had the time to read them goes on, never by time alone.
import { announce } from './dom.js';

const READ_MS = 6000;

export function startMessages() {
  const messages = [...document.querySelectorAll('[data-message]')];
  if (messages.length) setTimeout(() => messages.forEach(tell), 100); // what is there from the beginning is not told
  for (const message of messages) {
    const close = message.querySelector('[data-message-close]');
    close.hidden = false;
    close.addEventListener('click', () => dismiss(message));
    message.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      dismiss(message);
    });
    if (message.dataset.message !== 'stays') goWhenRead(message);
  }
}

const tell = (message) => announce(message.querySelector('[data-message-text]').textContent.trim());

// The time counts while the page is seen.
function goWhenRead(message) {
  let seen = 0;
  let since = document.hidden ? 0 : performance.now();
  const turned = () => {
    if (document.hidden) seen += since && performance.now() - since;
    since = document.hidden ? 0 : performance.now();
  };
  const goesOn = ({ target }) => {
    const read = seen + (since && performance.now() - since) >= READ_MS;
    if (!read || message.contains(target) || message.matches(':hover, :focus-within')) return;
    for (const name of ['click', 'keydown']) document.removeEventListener(name, goesOn);
    document.removeEventListener('visibilitychange', turned);
    dismiss(message);
  };
  document.addEventListener('visibilitychange', turned);
  for (const name of ['click', 'keydown']) document.addEventListener(name, goesOn);
}

// Whoever was in it goes on at the head of the page; what held only this goes too.
export function dismiss(message) {
  const held = message.contains(document.activeElement);
  const around = message.parentElement;
  message.remove();
  if (around && !around.firstElementChild) around.remove();
  if (held) document.querySelector('main').focus({ preventScroll: true });
}
