// Where a page leads to itself, by a form or by a link, whoever walks by keys goes on where they were.
const KEY = 'podium-focus';
let held = null; // what gets the focus on the next page, and the event that leads there

// The first of `selectors` that is there takes the focus on the next page of this address.
export function keepFocus(selectors, event = null) {
  if (document.activeElement.matches(':focus-visible')) held = { selectors, event };
}

function leave() {
  if (!held || held.event?.defaultPrevented) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify([location.pathname, held.selectors]));
  } catch {
    /* storage is off */
  }
}

function kept() {
  try {
    const [path, selectors] = JSON.parse(sessionStorage.getItem(KEY)) ?? [];
    sessionStorage.removeItem(KEY);
    return path === location.pathname ? selectors : [];
  } catch {
    return [];
  }
}

function regain() {
  for (const selector of kept()) {
    if (document.activeElement !== document.body) return;
    const found = [...document.querySelectorAll(selector)].find((one) => !one.disabled && one.checkVisibility());
    found?.focus({ preventScroll: true });
  }
}

// How to find it again: by what it is, else by what stands for it in its form, its table, its pages; else the page as a whole.
function ways(one) {
  const is = (name) => (one.hasAttribute(name) ? `[${name}="${CSS.escape(one.getAttribute(name))}"]` : '');
  const form = one.closest('form');
  const kind = form?.querySelector('input[name=form]');
  const within = (form?.id && `#${CSS.escape(form.id)}`) || (kind && `form:has([name=form][value="${CSS.escape(kind.value)}"])`);
  return [
    is('id') || is('href') || (one.name && is('name') + (one.matches('button, [type=radio]') ? is('value') : '')),
    within && one.matches('button') && `${within} button`,
    form?.matches('[role=search]') && 'form[role=search] .input',
    one.closest('th') && 'th[aria-sort] a',
    one.closest('nav') && 'main .data-table-wrap',
    '#page',
  ].filter(Boolean);
}

export function startFocus() {
  regain();
  document.addEventListener('submit', (event) => {
    if (!event.defaultPrevented) keepFocus(ways(document.activeElement), event);
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest('main a[href]');
    if (link?.pathname === location.pathname && !link.hash) keepFocus(ways(link), event);
  });
  addEventListener('pagehide', leave);
}
