// Of very many subsets the table has a part: whoever turns to another, or searches, keeps what is typed but not yet planned.
export function startLeafing(address) {
  const go = (name, value) => {
    const url = new URL(address(), location.href);
    url.searchParams.delete('page');
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
    url.hash = 'subsets';
    location.assign(url);
  };
  document.addEventListener('click', (event) => {
    const link = event.target.closest('#u-foot a[rel], a[data-all]');
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if ('all' in link.dataset) go('find', '');
    else go('page', new URL(link.href).searchParams.get('page'));
  });
  document.querySelector('form[role=search] [name=find]')?.form.addEventListener('submit', (event) => {
    event.preventDefault();
    go('find', event.target.elements.namedItem('find').value.trim());
  });
}
