// The page of a node: it follows the news; what can be copied there, and how the node was scored lately.
import { startCopying } from '../copy.js';
import { offer } from '../keys.js';
import { showLately } from '../lately.js';
import { fetched, follow, swap } from '../swap.js';
import { startTransport } from '../transport.js';

startCopying();
showLately();
for (const { dataset } of document.querySelectorAll('[data-act]')) {
  offer(dataset.act, () => document.querySelector(`[data-act="${CSS.escape(dataset.act)}"]`)?.click()); // news may have put another in its place
}

const { store } = startTransport();
follow(store, async () => {
  const page = await fetched(location.href);
  if (page) swap(page);
});
