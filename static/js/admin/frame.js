// What every page of the admin site has: the theme's button, and a menu that closes again.
import { startTheme } from '../theme.js';
import { startMessages } from '../messages.js';

startTheme();
startMessages();
const menu = document.querySelector('.head-menu');
const close = (event) => {
  const outside = event.key === 'Escape' || (event.type === 'click' && !menu?.contains(event.target));
  if (!menu?.open || !outside) return;
  if (menu.contains(document.activeElement)) menu.querySelector('summary').focus();
  menu.open = false;
};
document.addEventListener('click', close);
document.addEventListener('keydown', close);

// On a phone the filters would push the list out of sight: they open by a touch.
if (matchMedia('(max-width: 1150px)').matches) {
  for (const filter of document.querySelectorAll('#changelist-filter details')) filter.open = false;
}

// A link that hides once it is followed hands the focus to what has come in its place.
const FOLLOWS = { question: '.actions .clear a', clear: '#action-toggle' };
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('.actions :is(.question, .clear) a');
  if (link) document.querySelector(FOLLOWS[link.parentElement.classList.contains('question') ? 'question' : 'clear'])?.focus();
});
