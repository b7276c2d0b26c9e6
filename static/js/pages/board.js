// The board: queues, cycle, cluster and timeline, kept live.
import { startTransport } from '../transport.js';
import { explainer } from '../explain.js';
import '../elements/board-tabs.js';
import '../elements/queue-lanes.js';
import '../elements/cycle-head.js';
import '../elements/run-wait.js';
import '../elements/first-cycle.js';
import '../elements/cycle-says.js';
import '../elements/phase-strip.js';
import '../elements/score-matrix.js';
import '../elements/tie-draw.js';
import '../elements/filter-funnel.js';
import '../elements/scheduler-message.js';
import '../elements/refusal-foot.js';
import '../elements/node-grid.js';
import '../elements/pod-answers.js';
import '../elements/explain-card.js';

const PANELS =
  'board-tabs, queue-lanes, cycle-head, run-wait, first-cycle, cycle-says, phase-strip, score-matrix, tie-draw, filter-funnel, scheduler-message, refusal-foot, node-grid, pod-answers, explain-card';

const server = JSON.parse(document.getElementById('state').textContent);
const drawer = document.getElementById('explain');
const narrow = matchMedia('(max-width: 600px)').matches;

startTransport(server, {
  ui: { view: narrow ? 'table' : 'heatmap' },
  panels: PANELS,
  whole: true,
  past: server.cluster.seq < server.cluster.head_seq,
  explain: (store, base) =>
    explainer(store, base, () => {
      if (!drawer.open) drawer.show();
    }),
});
