// Where a moment of the timeline is: the page that is open, as it was then.
const OF_ONE_CYCLE = /\/cycles\/\d+\/$/; // a page that says the same at every event, and nothing before its cycle

// The address at `seq`, or now; with what is searched and sorted. The page of a cycle gives way to the board.
export function momentOf(base, seq = null) {
  const url = new URL(OF_ONE_CYCLE.test(location.pathname) ? base : location.href, location.href);
  url.searchParams.delete('page');
  if (seq === null) url.searchParams.delete('at');
  else url.searchParams.set('at', seq);
  return url.pathname + url.search;
}

// Nowhere, if that is what is on screen.
export function travel(address) {
  if (address !== location.pathname + location.search) location.href = address;
}

// Who walks over the marks by keys goes on from the mark that was gone to, on the page as it was then.
const BY_KEYS = 'podium-timeline-keys';

export function rememberKeys(event) {
  if (event.detail === 0 && event.target.closest('a')) sessionStorage.setItem(BY_KEYS, location.pathname);
}

// Whether this page was come to like that; answered once.
export function wasByKeys() {
  const was = sessionStorage.getItem(BY_KEYS) === location.pathname;
  sessionStorage.removeItem(BY_KEYS);
  return was;
}
