// Marks that a page was not given: those of the whole log, asked for once it stands; and those before them, when somebody goes
// there, kept while new ones come.
export async function wholeLog(store, base) {
  const { marks, cluster, past } = store.state;
  if (marks && !(past && cluster.seq === cluster.head_seq)) return;
  const answer = await fetch(`${base}marks.json`).catch(() => null);
  if (!answer?.ok) return;
  const part = await answer.json();
  if (!past && part.head_seq < store.state.cluster.seq) return wholeLog(store, base); // news came meanwhile
  store.dispatch({ type: 'part', part });
}

export class OlderMarks {
  held = [];

  constructor(base) {
    this.base = base;
  }

  // `marks` with what is held of the time before them. Held marks that do not reach up to them are of no use any more.
  with(marks) {
    if (!this.held.length || !marks.length || this.held.at(-1).seq < marks[0].seq - 1) return marks;
    if (this.last !== marks) this.held = [...this.held.filter((mark) => mark.seq < marks[0].seq), ...marks];
    this.last = marks;
    return this.held;
  }

  // Whether there were any before these.
  async more(marks) {
    if (this.busy || !marks.length || marks[0].seq === this.first) return false;
    this.busy = true;
    const answer = await fetch(`${this.base}marks.json?before=${marks[0].seq}`).catch(() => null);
    this.busy = false;
    if (!answer?.ok) return false;
    const { marks: older } = await answer.json();
    if (!older.length) this.first = marks[0].seq;
    else this.held = [...older, ...marks];
    return older.length > 0;
  }
}
