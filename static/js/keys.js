// One table of keys. Pages add what works on them; `?` lists exactly these. Single letters can be switched off.
import { h } from './dom.js';
import { byKeys } from './keyboard.js';

// The order of the list, by what one reaches for first.
const ORDER = [
  'S', '⇧S', 'E', 'I', 'Space', 'X', 'B', 'Z', 'Ctrl Z', 'Ctrl ⇧Z', '⇧B', 'N', '[',
  ']', ',', '.', 'Home', 'End', 'A', 'D', '+', '-', '1', '2', '3', '4',
  'T', 'V', 'M', '↑ ↓ ← →', '→', '←', 'Enter', 'J', 'K', 'Esc', '/', 'P', 'F',
  'Y', '⇧Y', '⇧D', 'Ctrl K', 'G B', 'G Q', 'G P', 'G N', 'G U', 'G C', 'G T', '?',
];
const bindings = []; // {key, text, run | null, works()}: key as '⇧S', 'Space', 'G B'
let pending = '';

// `works()`: whether it does anything now; else it is not listed.
export function bind(key, text, run, works = () => true) {
  bindings.push({ key, text, run, works });
}

// What keys do that an element hears by itself: only for the list.
export const tell = (key, text) => bind(key, text, null);

const orders = []; // what has no key of its own, and is found by its name
export const order = (verb, what, run) => orders.push({ verb, what, run });

// {verb, what (it takes), run(words)}: what a person types a word after, in the palette.
export const verbs = () => orders;

const offers = [];
export const offer = (text, run) => offers.push({ key: '', text, run });

// What the keys do, for those who look for it by name; but not what only moves the hand on.
const MOVES = new Set(['J', 'K', 'A', 'D', '+', '-', 'Ctrl K', '?']);
const rank = ({ key }) => (ORDER.indexOf(key) + ORDER.length) % ORDER.length; // an unknown key: before the last
export const actions = () =>
  [...bindings.filter((one) => one.run && one.text && !MOVES.has(one.key) && one.works()), ...offers]
    .sort((a, b) => rank(a) - rank(b))
    .filter(({ text }, at, all) => all.findIndex((one) => one.text === text) === at);

const lettersOff = () => {
  try {
    return localStorage.getItem('podium-letters') === 'off';
  } catch {
    return false;
  }
};
const typing = (target) =>
  target.closest('input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]');

function nameOf(event) {
  if (event.key === ' ') return 'Space';
  if (event.key.length > 1) return event.key;
  return event.shiftKey && /^[a-z]$/i.test(event.key) ? `⇧${event.key.toUpperCase()}` : event.key.toUpperCase();
}

function withControl(event) {
  const found = bindings.find((binding) => binding.run && binding.key === `Ctrl ${nameOf(event)}` && binding.key !== 'Ctrl K');
  if (!found) return;
  event.preventDefault();
  found.run();
}

function onKey(event) {
  if (event.altKey || event.defaultPrevented || typing(event.target)) return;
  if (event.key === 'Shift' || document.querySelector('dialog:modal')) return;
  if (event.ctrlKey || event.metaKey) return withControl(event);
  if (event.key.length === 1 && event.key !== '?' && lettersOff()) return;
  if (event.key === ' ' && event.target.closest('button, a, summary, input')) return; // it is theirs
  const name = pending ? `${pending} ${nameOf(event)}` : nameOf(event);
  pending = '';
  const found = bindings.find((one) => one.run && one.key === name && one.works());
  if (found) {
    event.preventDefault();
    found.run();
  } else if (name === 'G') {
    pending = 'G';
    setTimeout(() => {
      pending = '';
    }, 1500);
  }
}

export function startKeys() {
  const dialog = document.getElementById('keys');
  // Whoever asks by a key has keys.
  const open = (click) => {
    dialog.toggleAttribute('data-touched', Boolean(click) && byKeys(false, true));
    list(dialog.querySelector('[data-keys-list]'));
    dialog.showModal();
  };
  bind('?', 'this list', open);
  document.addEventListener('keydown', onKey);
  for (const button of document.querySelectorAll('[data-keys-open]')) button.addEventListener('click', open);
  const letters = dialog.querySelector('[data-keys-switch]');
  letters.checked = !lettersOff();
  letters.addEventListener('change', () => {
    try {
      localStorage.setItem('podium-letters', letters.checked ? 'on' : 'off');
    } catch {
      /* lasts for this page */
    }
  });
}

function list(place) {
  // A page may have several elements of a kind, each with the same keys; and a deed may have more than one key.
  const rows = new Map();
  for (const { key, text } of bindings.filter((one) => one.text && one.works()).sort((a, b) => rank(a) - rank(b)))
    rows.set(text, (rows.get(text) ?? new Set()).add(key));
  const caps = (key) => key.split(' ').map((one) => h('kbd', {}, one));
  place.replaceChildren(
    ...[...rows].map(([text, keys]) =>
      h('div', {}, h('dt', {}, [...keys].flatMap((key, at) => [at ? h('span', { class: 'dim' }, ' or ') : '', ...caps(key)])), h('dd', {}, text)),
    ),
  );
}
