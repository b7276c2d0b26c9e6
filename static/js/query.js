// What a page shows lives in its address: fields of the query are set in place, without a new entry of the history.
export const asked = () => new URLSearchParams(location.search);

// `changes`: field → text; "" or null takes it out.
export function setQuery(changes) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  history.replaceState(history.state, '', url);
}

// An address of the same pod with the fields that say what is looked at.
export function alike(address, names) {
  const url = new URL(address, location.href);
  for (const name of names) {
    const value = asked().get(name);
    if (value) url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}
