// A page that the server draws is asked for anew, and what differs is put in its place: parts with an id and data-swap.

// The page behind an address, or null.
export async function fetched(url) {
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
}

export function swap(page) {
  for (const fresh of page.querySelectorAll('[data-swap]')) {
    const held = document.getElementById(fresh.id);
    if (held && !held.isEqualNode(fresh)) fill(held, fresh);
  }
}

// The children of `fresh` in place of those of `held`; a link that had the focus keeps it.
export function fill(held, fresh) {
  const focus = held.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  held.replaceChildren(...fresh.childNodes);
  if (focus) held.querySelector(`[href="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
}

const LEAST_MS = 1000;

// Calls `look` when the log has grown, no more often than the server can bear.
export function follow(store, look) {
  let seq = store.state.cluster.seq;
  let timer = 0;
  let took = 0;
  const later = () => {
    if (store.state.past || timer || store.state.cluster.seq === seq) return;
    timer = setTimeout(async () => {
      seq = store.state.cluster.seq;
      const began = performance.now();
      await look();
      took = performance.now() - began;
      timer = 0;
      later();
    }, Math.max(LEAST_MS, 4 * took));
  };
  store.addEventListener('change', later);
}
