// The page of the queues: lanes follow the news, the graph's figures are fetched when the log has grown.
import { sentence } from '../dom.js';
import { startTransport } from '../transport.js';
import '../elements/queue-graph.js';
import '../elements/lane-table.js';
import '../elements/foreign-pods.js';

const EVERY_MS = 500;
const server = JSON.parse(document.getElementById('state').textContent);
const past = server.cluster.seq < server.cluster.head_seq;

const { store, base } = startTransport(server, {
  ui: { view: 'graph', filter: '' },
  panels: 'queue-graph, lane-table, foreign-pods',
  past,
});

document.querySelector('[data-lane-filter]').addEventListener('input', ({ target }) => {
  store.dispatch({ type: 'ui', ui: { filter: target.value.trim() } });
});

const who = document.getElementById('q-next');
const none = document.getElementById('q-none');
let busy = false;

async function catchUp() {
  if (busy || store.state.flow.seq >= store.state.cluster.seq) return;
  busy = true;
  const answer = await fetch(`${base}flow.json`).catch(() => null);
  if (answer?.ok) {
    const { next, ...part } = await answer.json();
    store.dispatch({ type: 'part', part });
    who.replaceChildren(...sentence(next));
  }
  await new Promise((done) => setTimeout(done, EVERY_MS));
  busy = false;
  catchUp();
}

if (!past) {
  store.addEventListener('change', () => {
    none.hidden = store.state.cluster.pod_count > 0;
    catchUp();
  });
  catchUp();
}
