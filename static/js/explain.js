// Fetches the arithmetic of one cell; the card shows what the store then holds. The newest question wins.
export function explainer(store, base, opened = () => {}) {
  return async (cycle, node, algorithm) => {
    const asked = { node, algorithm };
    store.dispatch({ type: 'ui', ui: { cell: asked } });
    store.dispatch({ type: 'explained', explained: asked });
    opened();
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
