// What a browser keeps of the tour: that it was seen, and where a login interrupted it.
const SEEN = 'podium-tour';
const LEFT_AT = 'podium-tour-at'; // the step of a tour that was left, for who comes back from the login

// Where nothing can be kept, nothing is shown unasked: it would come again and again.
export function fresh() {
  try {
    return !localStorage.getItem(SEEN) && !document.documentElement.dataset.at;
  } catch {
    return false;
  }
}

export function remember() {
  try {
    localStorage.setItem(SEEN, 'seen');
  } catch {
    /* storage is off */
  }
}

// At which step the login interrupted the tour; null where it did not. Asked once.
export function left() {
  try {
    const at = sessionStorage.getItem(LEFT_AT);
    sessionStorage.removeItem(LEFT_AT);
    return at !== null && new URL(document.referrer || location.origin).pathname === '/login/' ? Number(at) : null;
  } catch {
    return null;
  }
}

// The login page itself is on the way: only a board asks for it.
export function leave(at) {
  try {
    sessionStorage.setItem(LEFT_AT, at);
  } catch {
    /* storage is off */
  }
}
