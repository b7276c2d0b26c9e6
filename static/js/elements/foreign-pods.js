// Pods of another scheduler: pending too, but of no queue here. What makes the board's count differ from that of the pods.
import { h } from '../dom.js';
import { count } from '../format.js';

export function tellForeign(node, base, { pods_foreign: pods, profiles }) {
  node.hidden = !pods;
  if (!pods || node.pods === pods) return;
  node.pods = pods;
  const text = `${count(pods)} more ${pods === 1 ? 'belongs' : 'belong'} to another scheduler`;
  node.replaceChildren(h('a', { href: foreignPods(base, profiles) }, text));
}

// The Pending pods that none of these schedulers is responsible for.
function foreignPods(base, profiles) {
  const query = new URLSearchParams({ status: 'Pending', q: profiles.map((name) => `spec.schedulerName!=${name}`).join(' ') });
  return `${base}pods/?${query}`;
}
