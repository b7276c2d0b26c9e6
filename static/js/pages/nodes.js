// The page of the nodes: menus act at once, a click shows a node at the side, and the page follows the news.
import { announce } from '../dom.js';
import { bind, tell } from '../keys.js';
import { showLately } from '../lately.js';
import { mapPicture, pngBlob, save, svgBlob } from '../node-export.js';
import { keepFocus } from '../refocus.js';
import { fetched, fill, follow, swap } from '../swap.js';
import { startTransport } from '../transport.js';
import '../elements/node-field.js';
import '../elements/node-tiles.js';

const form = document.querySelector('[data-nodes-form]');
const main = document.getElementById('n-main');
const side = document.getElementById('n-side');
const split = document.querySelector('[data-split]');
const chosen = () => new URLSearchParams(location.search).get('node') ?? '';
let opener = null;

function draw() {
  const held = document.getElementById('picture');
  if (held) main.querySelector('node-field, node-tiles').update(JSON.parse(held.textContent), chosen());
  markRow();
}

function markRow() {
  for (const row of main.querySelectorAll('tr[data-row]')) row.toggleAttribute('aria-selected', row.dataset.row === chosen());
  for (const row of main.querySelectorAll('tr[aria-selected]')) row.setAttribute('aria-selected', 'true');
  main.querySelector('node-tiles')?.mark(chosen());
}

function address(changes) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  return url;
}

async function choose(name) {
  opener = document.activeElement;
  const isByKeys = opener.matches(':focus-visible');
  history.replaceState(null, '', address({ node: name }));
  markRow();
  const page = await fetched(address({ part: 'drawer' }));
  if (!page || chosen() !== name) return;
  side.hidden = false;
  split.classList.add('node-split-open');
  fill(side, page.body);
  announce(`${name} is shown at the side`);
  if (isByKeys) side.focus({ preventScroll: true });
  showLately(side);
}

function close() {
  if (side.hidden) return;
  const held = side.contains(document.activeElement) || document.activeElement === document.body;
  const name = chosen();
  history.replaceState(null, '', address({ node: '' }));
  side.hidden = true;
  split.classList.remove('node-split-open');
  main.querySelector('node-field')?.unchoose();
  markRow();
  const back = opener?.isConnected && opener !== document.body ? opener : main.querySelector(`[data-node="${CSS.escape(name)}"], node-field`);
  if (held) back?.focus({ preventScroll: true });
}

async function look() {
  const page = await fetched(location.href);
  if (!page) return;
  const before = document.getElementById('picture')?.textContent;
  const fresh = page.getElementById('picture');
  const element = main.querySelector('node-field, node-tiles');
  if (fresh && element) {
    if (fresh.textContent !== before) document.getElementById('picture').textContent = fresh.textContent;
    page.getElementById('n-main').removeAttribute('data-swap');
  }
  swap(page);
  if (fresh && element && fresh.textContent !== before) draw();
  markRow();
  refreshSide(page);
}

// What was said of the last cycles stays: it is computed anew only where somebody opens a node.
function refreshSide(page) {
  const fresh = page.getElementById('n-side');
  const held = side.querySelector('[data-lately]');
  if (side.hidden || !fresh || (side !== document.activeElement && side.contains(document.activeElement))) return;
  const place = fresh.querySelector('[data-lately]');
  if (held && place) place.replaceWith(held);
  fill(side, fresh);
}

form.querySelector('[type=submit]').hidden = true;
form.addEventListener('change', ({ target }) => target.matches('select') && form.requestSubmit());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  keepFocus([`[name="${document.activeElement.name}"]`]);
  const url = new URL(location.pathname, location.href);
  for (const name of ['view', 'at', 'node']) {
    const value = new URLSearchParams(location.search).get(name);
    if (value) url.searchParams.set(name, value);
  }
  for (const [name, value] of new FormData(form)) if (value || name === 'group') url.searchParams.set(name, value);
  location.href = url.href;
});
document.addEventListener('choose', ({ detail }) => choose(detail));
document.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest('[data-node]');
  if (link && !side.contains(link)) choose(link.dataset.node);
  else if (event.target.closest('[data-side-close]')) close();
  else return;
  event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) close();
});
tell('↑ ↓ ← →', 'on the map: walk over nodes; Page up and down: to the next group');
tell('Enter', 'on the map: show the node');
bind('T', 'the table, or back to the map', () => {
  const view = form.querySelector('.segmented [aria-current]').textContent;
  for (const link of form.querySelectorAll('.segmented a')) if (link.textContent === (view === 'Table' ? 'Map' : 'Table')) link.click();
});
bind('V', 'bars, tiles, map, table in turn', () => (form.querySelector('.segmented [aria-current] + a') ?? form.querySelector('.segmented a')).click());

const file = document.documentElement.dataset.base.split('/')[2];
const field = main.querySelector('node-field');
const picture = () => mapPicture(field.field, document.getElementById('n-sentence').textContent);
for (const [selector, ending, blob] of [['[data-map-png]', 'png', pngBlob], ['[data-map-svg]', 'svg', svgBlob]]) {
  const button = document.querySelector(selector);
  if (!button || !field) continue;
  button.hidden = false;
  button.addEventListener('click', async () => save(await blob(picture()), `${file}-nodes.${ending}`));
}

draw();
showLately(side);
const { store } = startTransport();
follow(store, look);
