// Choices on the page of a pod: attempt, node to compare with, whose message; and the text for an issue.
import { announce } from './dom.js';
import { then } from './past.js';
import { alike, asked, setQuery } from './query.js';

const FORM = 'podium-message-form';
const KEPT = ['tab', 'form', 'attempt', 'at'];
const SHOWN_MS = 1500;

export function startChoices() {
  document.addEventListener('submit', ({ target }) => target.matches('form[data-keep-query]') && carry(target));
  document.addEventListener('change', ({ target }) => {
    if (target.matches('[data-submits]')) target.form.requestSubmit();
    else if (target.matches('[data-forms]')) choose(target.value);
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest('[data-copy-text]');
    if (link) copyText(event, link);
  });
  showLiked();
}

// The form of the message that was chosen last; to be called again where the page exchanged it.
export function showLiked() {
  const forms = document.querySelector('[data-forms]');
  const liked = localStorage.getItem(FORM);
  if (forms && liked && !asked().has('form') && forms.querySelector(`option[value="${CSS.escape(liked)}"]`)) show(forms, liked);
}

// A form of one field leaves the rest of what is looked at as it is.
function carry(form) {
  for (const name of KEPT) {
    const value = asked().get(name);
    if (!value || form.elements.namedItem(name)) continue;
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name, value });
    form.append(field);
  }
}

function choose(form) {
  localStorage.setItem(FORM, form);
  setQuery({ form });
  show(document.querySelector('[data-forms]'), form);
}

function show(select, form) {
  select.value = form;
  for (const text of document.querySelectorAll('.message [data-form]')) text.hidden = text.dataset.form !== form;
}

async function copyText(event, link) {
  event.preventDefault();
  const form = document.querySelector('[data-forms]')?.value ?? '';
  const address = new URL(then(alike(link.href, ['attempt', 'at'])), location.href);
  if (form) address.searchParams.set('form', form);
  const label = link.querySelector('span');
  const before = (label.dataset.before ??= label.textContent);
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    await navigator.clipboard.writeText(await answer.text());
    label.textContent = 'Copied';
    announce('Markdown for an issue copied, all names replaced');
  } catch {
    label.textContent = 'Not copied';
    announce('The text for an issue could not be copied');
  }
  setTimeout(() => {
    label.textContent = before;
  }, SHOWN_MS);
}
