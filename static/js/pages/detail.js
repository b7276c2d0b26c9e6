// The page of one pod or node: evidence behind tabs, what can be copied, and what is chosen kept in the address.
import { startCopying } from '../copy.js';
import { startChoices } from '../why-choices.js';
import { startTabs } from '../tabs.js';
import { then } from '../past.js';
import { alike, setQuery } from '../query.js';
import '../elements/topology-tables.js';
import '../elements/refused-nodes.js';
import '../elements/pod-story.js';
import '../elements/why-nodes.js';
import '../elements/preemption-table.js';
import '../elements/fix-list.js';

startCopying();
startChoices();
const list = document.querySelector('[role=tablist]');
const open = list && startTabs(list);

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-reason]');
  if (!link || !open || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  setQuery({ reason: link.dataset.reason, q: '' });
  open('nodes');
  document.querySelector('why-nodes').show(link.dataset.reason);
});

const preemption = document.querySelector('preemption-table[data-url]');
if (preemption) {
  preemption.start(null, { base: document.documentElement.dataset.base });
  fetch(then(alike(preemption.dataset.url, ['attempt', 'at'])))
    .then((answer) => answer.json())
    .then((cycle) => preemption.update({ cycle }))
    .catch(() => preemption.replaceChildren('What preemption tried could not be read.'));
}
