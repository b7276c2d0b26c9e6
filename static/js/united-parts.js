// What is open on the page of a UnitedDeployment: one phase of the pass, the flow or its table. All of it is in the address.
import { announce } from './dom.js';
import { bind } from './keys.js';

const narrow = matchMedia('(max-width: 600px)');
let fetchSums = () => {};
const links = () => [...document.querySelectorAll('[data-phase]')];

function put(name, value) {
  const url = new URL(location.href);
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
  history.replaceState(null, '', url);
}

function openPhase(slug) {
  for (const link of links()) {
    const isOpen = link.dataset.phase === slug;
    link.toggleAttribute('aria-current', isOpen);
    if (isOpen) link.setAttribute('aria-current', 'step');
    link.parentElement.toggleAttribute('data-now', isOpen);
  }
  for (const panel of document.querySelectorAll('[data-panel]')) panel.hidden = panel.dataset.panel !== slug;
  put('phase', slug);
  announce(document.querySelector(`[data-panel="${slug}"] .ud-rule`)?.textContent ?? slug);
}

function step(by) {
  const all = links();
  const at = all.findIndex((link) => link.hasAttribute('aria-current'));
  const next = all[Math.min(all.length - 1, Math.max(0, at + by))];
  if (!next) return;
  openPhase(next.dataset.phase);
  document.getElementById('reconcile').scrollIntoView({ block: 'nearest' });
}

// A phone has no room for the flow, so that its table comes first there.
export function showView() {
  const sheet = document.querySelector('[data-flow]');
  const asked = new URL(location.href).searchParams.get('view');
  const view = asked ?? (narrow.matches ? 'table' : 'flow');
  sheet.dataset.flow = view;
  for (const button of sheet.querySelectorAll('[data-flow-view]'))
    button.setAttribute('aria-pressed', String(button.dataset.flowView === view));
}

function turn(view) {
  put('view', view);
  showView();
}

// A row of the table of subsets and the arithmetic of its numbers below it; of many subsets the server is asked for it.
function openSums(row) {
  const isOpen = row.toggleAttribute('data-open');
  row.querySelector('[aria-controls]').setAttribute('aria-expanded', String(isOpen));
  row.nextElementSibling.hidden = !isOpen;
  const open = [...document.querySelectorAll('[data-row][data-open]')].map((one) => one.dataset.row);
  put('sums', open.join(','));
  if (isOpen && !row.nextElementSibling.querySelector('.formula')) fetchSums();
}

// A number of the split leads to its arithmetic.
function leadToSums(row) {
  if (!row.hasAttribute('data-open')) openSums(row);
  row.scrollIntoView({ block: 'center' });
  row.querySelector('[aria-controls]').focus({ preventScroll: true });
}

// `again`: asks the server for the page anew.
export function startParts(again) {
  fetchSums = again;
  document.addEventListener('click', (event) => {
    const number = event.target.closest('[data-sums]');
    const told = number && document.querySelector(`[data-row="${CSS.escape(number.dataset.sums)}"]`);
    if (told && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      leadToSums(told);
    }
    const row = event.target.closest('[data-row]');
    if (row && event.target.closest('td.n, [aria-controls]')) openSums(row);
    const button = event.target.closest('[data-flow-view]');
    if (button) turn(button.dataset.flowView);
    const link = event.target.closest('[data-phase]');
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    openPhase(link.dataset.phase);
  });
  bind('[', 'earlier phase of the pass', () => step(-1));
  bind(']', 'later phase of the pass', () => step(1));
  bind(',', 'earlier pass', () => document.querySelector('a[rel=prev]')?.click());
  bind('.', 'later pass', () => document.querySelector('a[rel=next]')?.click());
  bind('T', 'flow or table of where pods are', () =>
    turn(document.querySelector('[data-flow]')?.dataset.flow === 'table' ? 'flow' : 'table'),
  );
  narrow.addEventListener('change', showView);
  showView();
}

// Between news time passes as well: the line of now goes on, as the clock in the head does.
export function showNow({ now_us: now }) {
  for (const svg of document.querySelectorAll('.ud-time svg[data-first]')) {
    const { first, scale, left } = svg.dataset;
    const x = Math.min(Number(left) + Math.max(0, now - Number(first)) * Number(scale), svg.viewBox.baseVal.width);
    const line = svg.querySelector('.now');
    for (const end of ['x1', 'x2']) line.setAttribute(end, x.toFixed(1));
    svg.querySelector('.future').setAttribute('x', x.toFixed(1));
  }
}
