// Labels and taints as rows: one more, or one less.
for (const button of document.querySelectorAll('[data-add]')) {
  const rows = document.querySelector(`[data-rows="${button.dataset.add}"]`);
  button.hidden = false;
  button.addEventListener('click', () => {
    const row = rows.lastElementChild.cloneNode(true);
    for (const field of row.querySelectorAll('input')) field.value = '';
    rows.append(row);
    row.querySelector('input').focus();
  });
}
for (const button of document.querySelectorAll('[data-remove]')) button.hidden = false;
document.addEventListener('click', ({ target }) => {
  const row = target.closest('[data-remove]')?.closest('tr');
  if (!row) return;
  const next = row.nextElementSibling ?? row.previousElementSibling;
  if (next) row.remove();
  else for (const field of row.querySelectorAll('input')) field.value = '';
  (next ?? row).querySelector('input').focus();
});
