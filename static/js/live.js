// The websocket: applies news, acknowledges each frame, comes back after a break, fetches the truth after a gap.
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const PAINTED_BY = 1_000; // ms; a hidden page paints nothing, and hears what is new all the same

export class Live {
  // `base`: /c/<cluster>/. `whole`: whether the page holds a whole BoardState (else only its `cluster` part).
  constructor(store, base, whole = true) {
    this.store = store;
    this.base = base;
    this.whole = whole;
    this.tries = 0;
    this.fetching = null;
    addEventListener('online', () => this.open());
  }

  open() {
    clearTimeout(this.timer);
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws${this.base}`);
    this.socket = socket;
    socket.addEventListener('message', (event) => this.hear(JSON.parse(event.data)));
    socket.addEventListener('close', () => {
      if (socket === this.socket) this.lost();
    });
  }

  // Waits grow and are spread, so that a restarted server is not met by all browsers at once.
  lost() {
    this.store.dispatch({
      type: 'link',
      link: { state: 'reconnecting', since: this.store.state.link.since || Date.now() },
    });
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries) * (0.5 + Math.random() / 2);
    this.tries += 1;
    this.timer = setTimeout(() => this.open(), wait);
  }

  async hear(message) {
    if (message.type === 'hello') await this.greet(message.seq);
    else if (message.type === 'news') await this.apply(message);
    else if (message.type === 'progress') {
      this.store.dispatch({ type: 'progress', progress: message });
      await painted(this.store);
      this.acknowledge();
    }
  }

  async greet(seq) {
    this.tries = 0;
    this.store.dispatch({ type: 'link', link: { state: 'live', since: 0 } });
    if (seq !== this.store.state.cluster.seq) await this.fetch();
    this.acknowledge(this.store.state.cluster.seq);
  }

  async apply(message) {
    this.store.dispatch({ type: 'news', news: message });
    if (this.store.state.stale) {
      await this.fetch();
      return this.acknowledge(this.store.state.cluster.seq);
    }
    await painted(this.store);
    return this.acknowledge();
  }

  acknowledge(seq) {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(seq === undefined ? { type: 'ack' } : { type: 'ack', seq }));
    }
  }

  // One fetch at a time; reload, reconnect and gap are this one path.
  fetch() {
    this.fetching ??= this.fetchOnce().finally(() => {
      this.fetching = null;
    });
    return this.fetching;
  }

  async fetchOnce() {
    try {
      const answer = await fetch(`${this.base}state.json`, { headers: { accept: 'application/json' } });
      if (!answer.ok) throw new Error(`state.json answered ${answer.status}`);
      const server = await answer.json();
      this.store.dispatch({ type: 'loaded', server: this.whole ? server : this.part(server) });
    } catch {
      this.store.dispatch({ type: 'link', link: { state: 'behind', since: Date.now() } });
    }
  }

  // What a page that is not the board needs of a whole state: the frame, the timeline, the lanes where it shows them, and
  // its cycle while that is open.
  part({ cluster, cycle, lanes, marks }) {
    const { state } = this.store;
    const own = { cluster, ...(state.lanes && { lanes }), ...(state.marks && { marks }) };
    return cycle && cycle.number === state.cycle?.number ? { ...own, cycle } : own;
  }
}

// A frame that is not on the screen yet is not acknowledged: the server makes no more of them than are looked at.
function painted(store) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      store.removeEventListener('painted', done);
      resolve();
    };
    const timer = setTimeout(done, PAINTED_BY);
    store.addEventListener('painted', done);
  });
}
