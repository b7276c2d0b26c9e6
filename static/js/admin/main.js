// Forms of the admin site: rows that come and go, amounts read aloud, rows and YAML kept in step by the server.
import { parsedAmount } from './amount.js';
import { startLines } from './lines.js';
import { startOver } from './over.js';
import { openTab, startTabs } from './tabs.js';

const amountOf = (input) => {
  const named = input.dataset.amount;
  const sibling = input.closest('[data-row]').querySelector(`[name$="-${named}"]`);
  return sibling ? sibling.value.trim() : named;
};

const tellAmount = (row) => {
  for (const input of row.querySelectorAll('[data-amount]')) {
    const text = input.value.trim();
    const told = text ? parsedAmount(amountOf(input), text) : '';
    const output = input.parentElement.querySelector('[data-parsed]');
    output.textContent = told && told !== text ? `= ${told}` : '';
    output.toggleAttribute('data-fault', told === 'not a quantity');
  }
};

const addRow = (rows) => {
  const made = rows.querySelector('template').content.cloneNode(true);
  rows.querySelector('[data-rows-body]').append(made);
  show(rows);
  number(rows);
  rows.querySelector('[data-rows-body]').lastElementChild.querySelector('input, select, textarea').focus();
};

const dropRow = (row) => {
  const rows = row.closest('[data-rows]');
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  number(rows);
  (next?.querySelector('[data-row-drop]') ?? rows.querySelector('[data-rows-add]')).focus();
};

const number = (rows) => {
  rows.querySelectorAll('[data-row]').forEach((row, place) => {
    for (const field of row.querySelectorAll('[aria-label*=", row "]')) {
      field.setAttribute('aria-label', field.getAttribute('aria-label').replace(/, row \d+/, `, row ${place + 1}`));
    }
  });
};

const show = (root) => {
  for (const button of root.querySelectorAll('[data-rows-add], [data-row-drop]')) button.hidden = false;
};

const start = () => {
  show(document);
  for (const rows of document.querySelectorAll('[data-rows]')) {
    const last = rows.querySelector('[data-rows-body]').lastElementChild;
    if (last?.previousElementSibling) last.remove(); // the empty row is for browsers without this script
  }
  startTabs();
  startOver();
  const form = document.querySelector('#content-main form');
  if (form) startLines(form);
};

document.addEventListener('click', (event) => {
  const add = event.target.closest('[data-rows-add]');
  const drop = event.target.closest('[data-row-drop]');
  const tab = event.target.closest('[data-tab-of]');
  if (add) addRow(add.closest('[data-rows]'));
  if (drop) dropRow(drop.closest('[data-row]'));
  if (tab) openTab(tab.dataset.tabOf, start);
});

document.addEventListener('input', (event) => {
  const row = event.target.closest('[data-row]');
  if (row) tellAmount(row);
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !event.target.matches('[data-row] input')) return;
  event.preventDefault(); // in a row, Enter goes on to the next one
  const row = event.target.closest('[data-row]');
  const below = row.nextElementSibling?.querySelector('input, select, textarea');
  if (below) below.focus();
  else addRow(row.closest('[data-rows]'));
});

// Of a row in which something is wrong the cell that its complaint quotes, or names.
const meant = (form) => {
  const told = [...(form?.querySelectorAll('[data-panel=rows] .errorlist') ?? [])].map((one) => one.textContent).join(' ');
  const cells = [...(form?.querySelectorAll('[data-row][data-fault] [aria-invalid=true]') ?? [])].filter((one) => one.offsetWidth);
  return cells.find((one) => one.value && told.includes(`"${one.value}"`)) ?? cells.find((one) => told.includes(`.${one.name.split('-').pop()}:`));
};

start();
// Where something is wrong one begins there, and else at the first field that is still to be filled in.
addEventListener('load', () => {
  const form = document.querySelector('#content-main form');
  const wrong = meant(form) ?? form?.querySelector('.errors :is(input, select, textarea):not([type=hidden]), [aria-invalid=true]');
  const empty = document.querySelector('h1.is-deed') && [...form.querySelectorAll('[data-panel] :is(input[type=text], select, textarea.lines)')].find((one) => !one.value && one.offsetWidth);
  (wrong?.offsetWidth ? wrong : empty)?.focus();
});
