// The page of a node: what can be copied there, and how it was scored lately.
import { startCopying } from '../copy.js';
import { offer } from '../keys.js';
import { showLately } from '../lately.js';

startCopying();
showLately();

for (const button of document.querySelectorAll('[data-act]')) offer(button.dataset.act, () => button.click());
