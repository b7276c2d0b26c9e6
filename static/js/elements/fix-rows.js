// The rows of tried changes as they come. Rows that stay are left where they are, so that whoever walks by keys is not
// thrown out of one.
import { fixRow } from './fix-row.js';

// `list`: element of the rows; `branch`: as of fixRow. False if what had the focus is gone.
export function keepRows(list, shown, branch) {
  const ids = new Set(shown.map(({ id }) => id));
  const gone = [...list.children].filter(({ dataset }) => !ids.has(dataset.fix));
  const isIn = gone.some((row) => row.contains(document.activeElement));
  for (const row of gone) row.remove();
  const had = new Map([...list.children].map((row) => [row.dataset.fix, row]));
  shown.forEach((fix, at) => {
    const row = renewed(had.get(fix.id), fix, branch);
    if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null);
  });
  return !isIn;
}

function renewed(was, fix, branch) {
  const told = JSON.stringify([fix, Boolean(branch)]);
  if (was?.told === told) return was;
  const row = Object.assign(fixRow(fix, { open: was?.querySelector('details')?.open ?? false, branch }), { told });
  was?.replaceWith(row);
  return row;
}
