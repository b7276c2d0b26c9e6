// Fetches the arithmetic of one cell; the card shows what the store then holds. The newest question wins.
import { absence, totalOf } from './total.js';

const ABSENT = new Set(['skip', 'not_scored']);

// Without `algorithm` it is the node's total that is opened. A node that is not in the matrix is looked for first.
export function explainer(store, base, opened = () => {}) {
  return async (cycle, node, algorithm = null) => {
    const asked = { node, algorithm, cycle: cycle.number };
    store.dispatch({ type: 'ui', ui: { cell: asked } });
    store.dispatch({ type: 'explained', explained: algorithm ? asked : { ...asked, total: totalOf(cycle, node) } });
    opened();
    if (!algorithm) return;
    const column = cycle.algorithms.find(({ name }) => name === algorithm);
    if (column && ABSENT.has(column.state)) return store.dispatch({ type: 'explained', explained: { ...asked, absent: absence(column) } });
    const explained = await ask(base, cycle.number, asked);
    if (store.state.ui.cell === asked) store.dispatch({ type: 'explained', explained: { ...asked, ...explained } });
  };
}

async function ask(base, number, asked) {
  try {
    const answer = await fetch(`${base}cycles/${number}/explain.json?${new URLSearchParams(asked)}`);
    const body = await answer.json();
    return answer.ok ? body : { error: body.error ?? 'This cell cannot be explained.' };
  } catch {
    return { error: 'The server did not answer.' };
  }
}
