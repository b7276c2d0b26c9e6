// Hints of keys are for who has a keyboard: neither where a screen can only be touched nor on a phone. `base.css` says the same.
import { h } from './dom.js';

const NONE = globalThis.matchMedia?.('(any-hover: none), (max-width: 600px)').matches ?? false;

// What is said where there are keys, and what where there are none.
export const byKeys = (text, without) => (NONE ? without : text);

// A tooltip: `Step one cycle  S`.
export const withKey = (text, key) => byKeys(`${text}  ${key}`, text);

// `⇧S` as browsers tell it to readers of screens, apart from the name of a button.
export const shortcut = (key) => key.replace('⇧', 'Shift+');

// ` (S)` after what the key does.
export const keyHint = (key) => h('span', { class: 'key-hint' }, ' (', h('kbd', {}, key), ')');

// The tooltips that the server wrote.
export function startKeyboard() {
  if (!NONE) return;
  for (const one of document.querySelectorAll('[title*="  "]')) one.title = one.title.replace(/ {2}\S.*$/, '');
}
