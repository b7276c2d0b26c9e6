// What every page has: theme, keys, menus, dialogs, the link to copy; and a live clock where no page script brings more.
import { cycleTheme, startTheme, turnContrast } from './theme.js';
import { bind, offer, startKeys } from './keys.js';
import { announce } from './dom.js';
import { startKeyboard } from './keyboard.js';
import { startRows } from './rows.js';
import { startPalette } from './palette.js';
import { startTransport } from './transport.js';
import { startPast, then } from './past.js';
import { startAnchor } from './anchor.js';
import { startTour } from './tour.js';
import { startFaults } from './faults.js';
import { startFocus } from './refocus.js';
import { startMessages } from './messages.js';
import { startOrigin } from './origin.js';

const base = document.documentElement.dataset.base;

startTheme();
startPast();
startAnchor();
startMessages();
startFaults();
startFocus();
startOrigin();
startKeyboard();
for (const menu of document.querySelectorAll('details.menu')) {
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      menu.open = false;
      menu.firstElementChild.focus();
    }
  });
  // Who walks on by Tab has done with it, and it may cover what comes next.
  menu.addEventListener('focusout', ({ relatedTarget: next }) => {
    if (next && !menu.contains(next)) menu.open = false;
  });
}
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') document.querySelector('dialog[open]:not(:modal)')?.close();
});
document.addEventListener('click', (event) => {
  for (const menu of document.querySelectorAll('details.menu[open]'))
    if (!menu.contains(event.target) || event.target.closest('[data-keys-open]')) menu.open = false;
  const close = event.target.closest('[data-dialog-close]');
  if (close) close.closest('dialog').close();
  if (event.target.matches('dialog:modal')) event.target.close();
});

async function copyLink() {
  await navigator.clipboard.writeText(location.href);
  announce('Link copied');
  for (const button of document.querySelectorAll('[data-copy-link] span')) {
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy link';
    }, 2000);
  }
}
document.addEventListener('click', ({ target }) => target.closest('[data-copy-link]') && copyLink());
document.addEventListener('click', ({ target }) => target.closest('code.long')?.classList.toggle('whole')); // cut on a phone

const message = () => document.querySelector('.message [data-copy], scheduler-message:not([hidden]) .message button');
bind('⇧Y', 'copy the scheduler’s message', () => message().click(), () => message()?.checkVisibility() ?? false);

const search = document.querySelector('main input[type=search]');
if (search) bind('/', 'search on this page', () => search.focus());
bind('Y', 'copy the link of this page', copyLink);
bind('⇧D', 'theme: system, light, dark, with high contrast', cycleTheme);
offer('high contrast on or off', turnContrast);
const now = document.querySelector('a[data-now]');
if (now) bind('End', 'back to now', () => now.click());
if (base) {
  for (const [letter, place, text] of [
    ['B', '', 'board'],
    ['Q', 'queue/', 'queue'],
    ['P', 'pods/', 'pods'],
    ['N', 'nodes/', 'nodes'],
    ['U', 'uniteddeployments/', 'UnitedDeployments'],
    ['C', 'cycles/', 'cycles'],
    ['T', 'time/', 'time: run until, undo, branch, scenario, settings'],
  ]) {
    bind(`G ${letter}`, `go to ${text}`, () => {
      location.href = then(base + place);
    });
  }
  if (!document.getElementById('state')) startTransport();
}
startRows();
startPalette();
bind('Ctrl K', 'search or command', () => document.querySelector('[data-palette-open]').click());
startKeys();
startTour();
