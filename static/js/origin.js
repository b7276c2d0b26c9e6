// Links into the admin carry the page along that one comes back to: as it is now, with what script changed of its address.
export function startOrigin() {
  document.addEventListener('click', ({ target }) => {
    const link = target.closest?.('a[href^="/admin/"]');
    const next = link && new URL(link.href).searchParams.get('next');
    if (!next || new URL(next, location.href).pathname !== location.pathname) return;
    const address = new URL(link.href);
    address.searchParams.set('next', location.pathname + location.search + location.hash);
    link.href = address.pathname + address.search;
  });
}

// Where one adds an object to the cluster of this page.
export function adding(model) {
  const [, , cluster = ''] = (document.documentElement.dataset.base ?? '').split('/');
  return `/admin/scheduler/${model}/add/?${new URLSearchParams({ cluster, next: location.pathname + location.search })}`;
}
