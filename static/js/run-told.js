// Why a run stopped is said once: what this browser has been told, by cluster.
const TOLD = 'podium-told ';
let here = ''; // what this page tells; a page may have two of these elements

export function wasTold(base, reason) {
  if (here === reason) return false;
  try {
    if (localStorage.getItem(TOLD + base) === reason) return true;
    localStorage.setItem(TOLD + base, reason);
  } catch {
    /* told on every page, then */
  }
  here = reason;
  return false;
}

// It was read.
export function close() {
  here = '';
}

export function forget(base) {
  here = '';
  try {
    localStorage.removeItem(TOLD + base);
  } catch {
    /* nothing was kept */
  }
}
