// The page of a pod: evidence behind tabs, what can be copied, what is chosen kept in the address; it follows the news.
import { announce } from '../dom.js';
import { startCopying } from '../copy.js';
import { showLiked, startChoices } from '../why-choices.js';
import { startTabs } from '../tabs.js';
import { then } from '../past.js';
import { alike, setQuery } from '../query.js';
import { fetched, follow, swap } from '../swap.js';
import { running } from '../transport.js';
import '../elements/topology-tables.js';
import '../elements/refused-nodes.js';
import '../elements/pod-story.js';
import '../elements/why-nodes.js';
import '../elements/preemption-table.js';
import '../elements/fix-list.js';
import '../elements/would-go.js';

let open = null;
let waits = false; // evidence that changed while somebody was at a field in it

function startEvidence() {
  const list = document.querySelector('[role=tablist]');
  open = list && startTabs(list);
  const preemption = document.querySelector('preemption-table[data-url]');
  if (preemption) showPreemption(preemption);
}

function showPreemption(preemption) {
  preemption.start(null, { base: document.documentElement.dataset.base });
  fetch(then(alike(preemption.dataset.url, ['attempt', 'at'])))
    .then((answer) => answer.json())
    .then((cycle) => preemption.update({ cycle }))
    .catch(() => preemption.replaceChildren('What preemption tried could not be read.'));
}

async function look() {
  const page = await fetched(location.href);
  if (!page) return;
  const [x, y] = [scrollX, scrollY];
  const { done, waiting } = swap(page);
  waits = waiting.length > 0;
  if (!done.includes('p-evidence')) return;
  startEvidence();
  showLiked();
  scrollTo({ left: x, top: y, behavior: 'instant' });
  announce(document.getElementById('p-sentence').textContent);
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-reason]');
  if (!link || !open || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  setQuery({ reason: link.dataset.reason, q: '' });
  open('nodes');
  document.querySelector('why-nodes').show(link.dataset.reason);
});
document.addEventListener('focusout', () => waits && setTimeout(look));

startCopying();
startChoices();
startEvidence();
const { store } = await running;
// Only once the page knows that the pod still waits are changes tried anew for it.
follow(store, async () => {
  await look();
  document.querySelector('fix-list')?.update(store.state);
  document.querySelector('would-go')?.update(store.state);
});
