// The profiles: what was changed and not saved is told, and asked about before it is lost; what others save comes by itself.
import { fetched, follow, swap } from '../swap.js';
import { running } from '../transport.js';

const form = document.getElementById('profiles');
const told = document.getElementById('p-unsaved');
const written = () => new URLSearchParams(new FormData(form)).toString();
let saved = form.dataset.unsaved === undefined ? written() : '';
let leaving = false; // by a button that says so
const isChanged = () => written() !== saved;

const differs = (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked;
form.addEventListener('input', ({ target }) => {
  if (told) told.hidden = !isChanged();
  const row = target.closest('tr:not([data-changed=typed])'); // what came back with faults stays marked
  row?.toggleAttribute('data-changed', [...row.querySelectorAll('input')].some(differs));
});
const leave = () => {
  leaving = true;
};
form.addEventListener('submit', leave);
document.querySelector('[data-discard]')?.addEventListener('click', leave);
addEventListener('beforeunload', (event) => !leaving && isChanged() && event.preventDefault());

const { store } = await running;
follow(store, async () => {
  const page = isChanged() ? null : await fetched(location.href);
  if (!page || isChanged()) return;
  swap(page);
  saved = written();
});
