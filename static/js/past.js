// Who looks at the past stays there: links and filters within the cluster keep ?at=. Only "back to now" leaves it.
const { at, base } = document.documentElement.dataset;

export const past = Boolean(at);

// The address of a page of this cluster, at the moment that is shown.
export function then(address) {
  const url = new URL(address, location.href);
  if (!past || !url.pathname.startsWith(base) || url.searchParams.has('at')) return address;
  url.searchParams.set('at', at);
  return url.pathname + url.search + url.hash;
}

function keep(event) {
  const link = event.target.closest?.('a[href]');
  if (!link || link.origin !== location.origin || link.matches('[data-now], event-timeline a, .tl-tip a')) return;
  const kept = then(link.href);
  if (kept !== link.href) link.setAttribute('href', kept);
}

export function startPast() {
  if (!past) return;
  for (const type of ['pointerdown', 'focusin', 'click']) document.addEventListener(type, keep, true);
  document.addEventListener('submit', ({ target }) => {
    if (target.method !== 'get' || target.elements.namedItem('at')) return;
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name: 'at', value: at });
    target.append(field);
  });
}
