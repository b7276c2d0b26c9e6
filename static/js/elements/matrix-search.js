// Of many nodes the matrix has the best alone and the rest in bins: what is searched for is asked of the server.
const PAUSE_MS = 200;

export class MatrixSearch {
  constructor(store, base) {
    Object.assign(this, { store, base, asked: '' });
  }

  // The cycle with the rows that were found in place of its own, where it has bins and something is searched for.
  of(cycle, { ui, found }) {
    if (!cycle || !ui.find || !cycle.rows.bins.some((size) => size > 1)) return cycle;
    const key = `${cycle.number} ${cycle.phase} ${ui.find}`;
    if (key !== this.asked) this.ask(cycle, key, ui.find);
    if (found?.key !== key) return cycle;
    if (this.from !== cycle || this.with !== found) {
      [this.from, this.with] = [cycle, found];
      this.made = { ...cycle, rows: found.rows };
    }
    return this.made;
  }

  ask(cycle, key, find) {
    this.asked = key;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const address = `${this.base}cycles/${cycle.number}/rows.json?${new URLSearchParams({ q: find })}`;
      const answer = await fetch(address).catch(() => null);
      if (!answer?.ok || key !== this.asked) return;
      this.store.dispatch({ type: 'part', part: { found: { key, rows: await answer.json() } } });
    }, PAUSE_MS);
  }
}
