// Light, dark or as the system has it, and how much contrast; kept in this browser. Charts listen for `themechange`.
import { announce as say } from './dom.js';

const root = document.documentElement;
const dark = matchMedia('(prefers-color-scheme: dark)');
const hard = matchMedia('(prefers-contrast: more)');
// What ⇧D goes through: [theme ('' as the system has it), high contrast].
const LOOKS = [
  ['', false],
  ['light', false],
  ['dark', false],
  ['', true],
  ['light', true],
  ['dark', true],
];

const theme = () => root.dataset.theme ?? '';
const kept = () => {
  try {
    return localStorage.getItem('podium-theme');
  } catch {
    return null;
  }
};
const contrast = () => (root.dataset.contrast ?? (hard.matches ? 'more' : 'normal')) === 'more';
const called = (name, more) => `${name || 'system'}${more ? ', high contrast' : ''}`;
const words = () => called(theme(), contrast());

const next = () => LOOKS[(LOOKS.findIndex(([name, more]) => name === theme() && more === contrast()) + 1) % LOOKS.length];

export function startTheme() {
  for (const choice of document.querySelectorAll('[data-theme-choice]')) {
    choice.addEventListener('change', ({ target }) => {
      if (target.type === 'radio') choose(target.value, contrast());
      else choose(theme(), target.checked);
    });
  }
  for (const button of document.querySelectorAll('[data-theme-switch]')) button.addEventListener('click', cycleTheme);
  dark.addEventListener('change', changed);
  hard.addEventListener('change', changed);
  matchMedia('print').addEventListener('change', ({ matches }) => onPaper(matches));
  show();
}

export function cycleTheme() {
  choose(...next());
  say(`Theme: ${words()}`);
}

export const turnContrast = () => choose(theme(), !contrast());

function choose(name, more) {
  keep('theme', name);
  keep('contrast', more === hard.matches ? '' : more ? 'more' : 'normal');
  changed();
}

function keep(what, value) {
  if (value) root.dataset[what] = value;
  else delete root.dataset[what];
  try {
    if (value) localStorage.setItem(`podium-${what}`, value);
    else localStorage.removeItem(`podium-${what}`);
  } catch {
    /* storage is off: the choice lasts for this page */
  }
}

function changed() {
  show();
  document.dispatchEvent(new Event('themechange'));
}

// Paper is light, and so are the charts on it.
function onPaper(printing) {
  if (printing) root.dataset.theme = 'light';
  else if (kept()) root.dataset.theme = kept();
  else delete root.dataset.theme;
  document.dispatchEvent(new Event('themechange'));
}

function show() {
  for (const choice of document.querySelectorAll('[data-theme-choice]')) {
    for (const radio of choice.querySelectorAll('[type=radio]')) radio.checked = radio.value === theme();
    choice.querySelector('[type=checkbox]').checked = contrast();
  }
  for (const summary of document.querySelectorAll('[data-theme-now]')) {
    summary.setAttribute('aria-label', `Theme: ${words()}`);
    summary.title = `Theme: ${words()}. ⇧D: ${called(...next())}`;
  }
  for (const button of document.querySelectorAll('[data-theme-switch]')) {
    button.setAttribute('aria-label', `Theme: ${words()}. Change to ${called(...next())}`);
    button.title = `Theme: ${words()}. Click for ${called(...next())}.`;
  }
}
