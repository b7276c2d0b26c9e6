// A page that the server draws is asked for anew, and what differs is put in its place: parts with an id and data-swap.
// A part with a data-key is the same while its key is, whatever script made of it; what has a data-keep survives in it.

// The page behind an address, or null.
export async function fetched(url) {
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
}

// What was exchanged, and what waits because somebody is at a field in it: lists of ids.
export function swap(page) {
  const [done, waiting] = [[], []];
  for (const fresh of page.querySelectorAll('[data-swap]')) {
    const held = document.getElementById(fresh.id);
    if (!held || isSame(held, fresh)) continue;
    const isKeyed = fresh.dataset.key !== undefined;
    (isKeyed && isTyping(held) ? waiting : done).push(fresh.id);
    if (waiting.includes(fresh.id)) continue;
    fill(held, fresh);
    if (isKeyed) held.dataset.key = fresh.dataset.key;
  }
  return { done, waiting };
}

const isSame = (held, fresh) =>
  fresh.dataset.key === undefined ? held.isEqualNode(fresh) : held.dataset.key === fresh.dataset.key;

const isTyping = (held) => held.contains(document.activeElement) && document.activeElement.matches('input, select, textarea');

// The children of `fresh` in place of those of `held`; what had the focus keeps it, and what was unfolded stays so.
export function fill(held, fresh) {
  const focus = held.contains(document.activeElement) ? sameAs(document.activeElement) : null;
  for (const one of held.querySelectorAll('[data-keep]')) fresh.querySelector(`[data-keep="${CSS.escape(one.dataset.keep)}"]`)?.replaceWith(one);
  const open = [...held.querySelectorAll('details[id]')].filter((one) => fresh.querySelector(`#${CSS.escape(one.id)}`));
  for (const one of open) fresh.querySelector(`#${CSS.escape(one.id)}`).open = one.open;
  const { value } = held; // of a choice that was not sent yet
  held.replaceChildren(...fresh.childNodes);
  if (held.matches('select')) held.value = value;
  if (focus && !held.contains(document.activeElement)) (held.querySelector(focus) ?? document.getElementById('page')).focus({ preventScroll: true });
}

function sameAs(element) {
  const name = ['id', 'href', 'name', 'data-copy'].find((one) => element.hasAttribute(one));
  return name ? `[${name}="${CSS.escape(element.getAttribute(name))}"]` : null;
}

const LEAST_MS = 1000;

// Calls `look` when the log has grown, no more often than the server can bear. `told`: what else is worth a look.
export function follow(store, look, told = ({ seq }) => seq) {
  let known = told(store.state.cluster);
  let timer = 0;
  let took = 0;
  const later = () => {
    if (store.state.past || timer || told(store.state.cluster) === known) return;
    timer = setTimeout(async () => {
      known = told(store.state.cluster);
      const began = performance.now();
      await look();
      took = performance.now() - began;
      timer = 0;
      later();
    }, Math.max(LEAST_MS, 4 * took));
  };
  store.addEventListener('change', later);
}
