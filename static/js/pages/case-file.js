// A case file: dropped or chosen, it is sent at once; its faults come back with its text.
import { takeDrops } from '../drop.js';

const form = document.querySelector('[data-case-form]');
const zone = form.querySelector('[data-drop-zone]');
if (zone) {
  takeDrops(zone, form.elements.file, () => form.requestSubmit());
  form.elements.file.addEventListener('change', () => form.requestSubmit());
}
