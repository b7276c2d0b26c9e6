// One cycle: the sentence, then its evidence. A finished cycle never changes; an open one follows the log.
import { startTransport } from '../transport.js';
import { explainer } from '../explain.js';
import { bind } from '../keys.js';
import { savePicture } from '../charts/picture.js';
import { order, totalsOf } from '../scores.js';
import { totalOf } from '../total.js';
import '../elements/cycle-verdict.js';
import '../elements/phase-strip.js';
import '../elements/podium-bars.js';
import '../elements/filter-funnel.js';
import '../elements/preemption-table.js';
import '../elements/score-matrix.js';
import '../elements/explain-card.js';
import '../elements/weight-sliders.js';
import '../elements/refusal-table.js';
import '../elements/topology-tables.js';
import '../elements/refused-nodes.js';
import '../elements/task-gantt.js';
import '../elements/scheduler-message.js';

const PANELS =
  'cycle-verdict, phase-strip, podium-bars, filter-funnel, preemption-table, score-matrix, explain-card, weight-sliders, refusal-table, topology-tables, refused-nodes, task-gantt, scheduler-message';

const server = JSON.parse(document.getElementById('state').textContent);
const narrow = matchMedia('(max-width: 600px)').matches;
const layer = server.cycle.rows.totals ? 'weighted' : 'normalized';

const { store, base } = startTransport(server, {
  ui: { layer, view: narrow ? 'table' : 'heatmap' },
  panels: PANELS,
  // What is asked for above the card, at the podium, is answered where it can be seen.
  explain: (ours, base) => explainer(ours, base, () => document.querySelector('.score-side').scrollIntoView({ block: 'nearest' })),
});

for (const [key, rel, text] of [
  [',', 'prev', 'previous cycle'],
  ['.', 'next', 'next cycle'],
]) {
  bind(key, text, () => document.querySelector(`a[rel=${rel}]`)?.click());
}
const pictures = document.querySelectorAll('[data-picture]');
for (const button of pictures) {
  button.addEventListener('click', () => {
    const { cycle, ui } = store.state;
    const rows = order(cycle, totalsOf(cycle).totals, ui.sort, ui.layer);
    savePicture(base.split('/')[2], cycle, { layer: ui.layer, order: rows }, button.dataset.picture);
  });
}

// Where nothing was scored there is nothing to explain, to draw, and no weight to try.
const side = document.querySelector('.score-side');
const scored = ({ cycle }) => cycle.rows.raw.some((column) => column !== null);
const FEW_ROWS = 16; // a matrix that is lower than what stands beside it
const showSide = () => {
  const { cycle } = store.state;
  side.toggleAttribute('hidden', cycle.outcome !== 'open' && !scored(store.state));
  for (const button of pictures) button.hidden = !cycle.rows.names.length;
  side.parentElement.toggleAttribute('data-few', cycle.rows.names.length <= FEW_ROWS);
  document.getElementById('podium').hidden = cycle.outcome !== 'open' && !cycle.podium.length;
  document.getElementById('refused').hidden = !cycle.lost && !cycle.refusals.length;
  document.getElementById('timings').hidden = !cycle.tasks.length;
};
store.addEventListener('change', showSide);
showSide();
// What the winner's total is made of stands there from the beginning.
const showFirst = () => {
  const { cycle, shown, explained } = store.state;
  if (shown || explained || !cycle.winner || !cycle.rows.totals) return;
  store.dispatch({ type: 'explained', explained: { node: cycle.winner, algorithm: null, total: totalOf(cycle, cycle.winner), first: true } });
};
store.addEventListener('change', showFirst);
showFirst();
// Esc leads from the arithmetic back to the cell that it is of.
side.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.querySelector('score-matrix').spot().focus();
});
