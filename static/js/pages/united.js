// A UnitedDeployment: what is typed is planned by the server at once, and shown; the page follows the news as well.
import { announce } from '../dom.js';
import { startCopying } from '../copy.js';
import { offerer, startDiscarding } from '../united-offer.js';
import { startLeafing } from '../united-leaf.js';
import { showNow, showView, startParts } from '../united-parts.js';
import { startTransport } from '../transport.js';

const WAIT_MS = 250;
const NEWS_MS = 500;
const form = document.querySelector('[data-plan]');
const slider = form.querySelector('[data-slider]');
const replicas = form.elements.namedItem('replicas');
const offer = offerer(form);
const PARTS = ['phase', 'view', 'sums', 'find', 'page']; // of the address, besides what is wished
let timer = 0;
let asked = 0;

// Only what differs from the stored object is part of the address.
function address() {
  const query = new URLSearchParams();
  for (const field of form.elements) {
    if (field.dataset.stored !== undefined && field.value.trim() !== field.dataset.stored) query.set(field.name, field.value.trim());
  }
  const now = new URLSearchParams(location.search);
  for (const name of PARTS) if (now.has(name)) query.set(name, now.get(name));
  const { at } = document.documentElement.dataset;
  if (at) query.set('at', at);
  const text = query.toString();
  return location.pathname + (text ? `?${text}` : '');
}

async function plan(isNews = false) {
  const url = address();
  const mine = (asked += 1);
  if (!isNews) history.replaceState(null, '', url);
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null);
  if (mine !== asked) return;
  if (answer?.status === 404) location.reload(); // it was deleted: its page says so
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (mine !== asked) return;
  if (rowsOf(page) !== rowsOf(document)) location.reload();
  else show(page, isNews);
}

const rowsOf = (page) => [...page.querySelectorAll('[data-row]')].map((row) => row.dataset.row).join(' ');

function show(page, isNews) {
  for (const fresh of page.querySelectorAll('[data-swap]')) {
    const held = document.getElementById(fresh.id);
    if (!held || held.isEqualNode(fresh)) continue;
    const focus = held.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
    const open = [...held.querySelectorAll('details[open][data-open]')].map((one) => one.dataset.open);
    held.className = fresh.className;
    held.replaceChildren(...fresh.childNodes);
    for (const one of open) held.querySelector(`[data-open="${one}"]`)?.setAttribute('open', '');
    if (focus) held.querySelector(`[href="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }
  for (const field of form.elements) {
    const error = document.getElementById(`e-${field.name}`);
    if (error) field.toggleAttribute('aria-invalid', error.textContent !== '');
    if (error?.textContent) field.setAttribute('aria-invalid', 'true');
    keepUp(field, page);
  }
  offer();
  showView();
  if (!isNews) announce(document.getElementById('u-sentence').textContent);
}

// A field that nobody has touched shows what is stored now.
function keepUp(field, page) {
  const fresh = field.name && page.querySelector(`[name="${CSS.escape(field.name)}"][data-stored]`);
  if (!fresh || field.dataset.stored === undefined) return;
  const isUntouched = field.value.trim() === field.dataset.stored;
  field.dataset.stored = fresh.dataset.stored;
  if (isUntouched && document.activeElement !== field) field.value = fresh.dataset.stored;
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(plan, WAIT_MS);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  plan();
});
// What is applied is what stands in the fields, also if its plan has not come yet.
document.getElementById('ud-apply').addEventListener('submit', () => {
  const query = new URL(address(), location.href).searchParams;
  document.getElementById('u-apply').replaceChildren(
    ...[...query].map(([name, value]) => Object.assign(document.createElement('input'), { type: 'hidden', name, value })),
  );
});
document.addEventListener('input', ({ target }) => {
  if (target === slider) replicas.value = slider.value;
  else if (target.form !== form || target.dataset.stored === undefined) return;
  if (target === replicas) slider.value = replicas.value;
  if (target.name === 'strategy')
    for (const part of form.querySelectorAll('[data-adaptive]')) part.hidden = target.value === 'Fixed';
  offer();
  later();
});
document.addEventListener('click', (event) => {
  const column = event.target.closest('[data-replicas]');
  if (!column || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  replicas.value = slider.value = column.dataset.replicas;
  offer();
  plan();
});
form.querySelector('[data-show-plan]').hidden = true; // the plan follows what is typed
offer(); // a browser may have kept what was typed before
startDiscarding(form);
startParts(() => plan(true));
startLeafing(address);
startCopying();
const { store } = startTransport();
let seq = store.state.cluster.seq;
let news = 0;
let took = 0;

// A server that takes long to plan is asked less often.
function follow() {
  if (store.state.past || news || store.state.cluster.seq === seq) return;
  news = setTimeout(
    async () => {
      seq = store.state.cluster.seq;
      const began = performance.now();
      await plan(true);
      took = performance.now() - began;
      news = 0;
      follow();
    },
    Math.max(NEWS_MS, 4 * took),
  );
}
store.addEventListener('change', follow);
store.addEventListener('change', () => showNow(store.state.cluster));
