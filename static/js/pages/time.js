// The page of the time: it follows the news; what is typed stays, and a part with somebody at a field in it waits.
import { keepFocus } from '../refocus.js';
import { fetched, follow, swap } from '../swap.js';
import { running } from '../transport.js';

let waits = false;

// What was typed and not sent yet goes into the fields of the page that comes.
function carry(page) {
  for (const part of document.querySelectorAll('[data-swap][data-key]')) {
    for (const field of part.querySelectorAll('input[name]')) {
      const fresh = page.querySelector(`#${part.id} [name="${field.name}"]`);
      if (!fresh) continue;
      if (field.value !== field.defaultValue) fresh.value = field.value;
      if (field.checked !== field.defaultChecked) fresh.checked = field.checked;
    }
  }
}

async function look() {
  const page = await fetched(location.href);
  if (!page) return;
  carry(page);
  waits = swap(page).waiting.length > 0;
}

// After an undo or a redo the same button has the focus again, or the other where there is no more of it.
const AFTER = {
  'undo-last': ['#undo-last', '#redo-last'],
  'redo-last': ['#redo-last', '#undo-last'],
};
document.addEventListener('submit', ({ submitter }) => {
  if (submitter?.closest('#t-undo')) keepFocus(AFTER[submitter.id] ?? AFTER['undo-last']);
});

document.addEventListener('focusout', () => waits && setTimeout(look));
const { store } = await running;
follow(store, look, ({ seq, wanted }) => `${seq} ${wanted}`);
