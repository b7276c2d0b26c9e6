// What every page of the admin site has: the theme's button, and a menu that closes again.
import { startTheme } from '../theme.js';

startTheme();
const menu = document.querySelector('.head-menu');
const close = (event) => {
  if (menu?.open && (event.key === 'Escape' || (event.type === 'click' && !menu.contains(event.target)))) menu.open = false;
};
document.addEventListener('click', close);
document.addEventListener('keydown', close);
