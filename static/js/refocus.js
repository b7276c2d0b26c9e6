// Where a page leads to itself, whoever walks by keys goes on where they were.
const KEY = 'podium-focus';

// To be called before the page leaves: `selector` says what takes the focus on the next one of this address.
export function keepFocus(selector) {
  if (!document.activeElement.matches(':focus-visible')) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify([location.pathname, selector]));
  } catch {
    /* storage is off */
  }
}

export function regainFocus() {
  try {
    const [path, selector] = JSON.parse(sessionStorage.getItem(KEY)) ?? [];
    sessionStorage.removeItem(KEY);
    if (path === location.pathname) document.querySelector(selector)?.focus({ preventScroll: true });
  } catch {
    /* storage is off */
  }
}
