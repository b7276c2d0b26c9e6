// Specimens of one cycle: its phases, filters, scores, podium, arithmetic, message and timings.
import '../elements/cycle-says.js';
import '../elements/cycle-verdict.js';
import '../elements/phase-strip.js';
import '../elements/filter-funnel.js';
import '../elements/score-matrix.js';
import '../elements/podium-bars.js';
import '../elements/explain-card.js';
import '../elements/weight-sliders.js';
import '../elements/refusal-foot.js';
import '../elements/refusal-table.js';
import '../elements/preemption-table.js';
import '../elements/scheduler-message.js';
import '../elements/task-gantt.js';
import '../elements/topology-tables.js';
import { cyclesOf } from './cycles.js';

export function cycleSections(sample) {
  const cycles = cyclesOf(sample.cycles);
  const every = (tag, states, more = {}) =>
    Object.entries(states).map(([text, name]) => ({ text, tag, state: { cycle: cycles[name] }, ...more }));
  const matrix = (text, name, ui) => ({ text, tag: 'score-matrix', state: { cycle: cycles[name] }, ui });
  const tried = (text, weight) => ({ text, tag: 'weight-sliders', state: { cycle: cycles.placed, weights: cycles.placed.algorithms.map((_, at) => weight(at)) } });
  const cell = { node: sample.cell.node, algorithm: sample.cell.algorithm };
  const explained = (text, value) => ({ text, tag: 'explain-card', state: { explained: value } });
  return [
    { title: 'phase-strip', note: 'filled as it completes', wide: true, specimens: every('phase-strip', { popped: 'popped', running: 'reducing', placed: 'placed', 'refused, then PostFilter': 'refused' }) },
    {
      title: 'score-matrix',
      note: 'score 0, skipped, refused and not yet back look different',
      wide: true,
      columns: 'two',
      specimens: [
        matrix('raw, own scale per column', 'placed', { layer: 'raw' }),
        matrix('normalised, 0 to 100', 'placed', { layer: 'normalized' }),
        matrix('weighted, one scale', 'placed', { layer: 'weighted' }),
        matrix('total, made of its parts', 'placed', { layer: 'total' }),
        matrix('a range not back from map yet', 'mapping', { layer: 'raw' }),
        matrix('reduced in part', 'reducing', { layer: 'normalized' }),
        matrix('skipped columns, a tie', 'tied', { layer: 'normalized' }),
        matrix('a score failed', 'failed', { layer: 'normalized' }),
        matrix('only one node passed', 'single', {}),
        matrix('no node passed', 'refused', {}),
        matrix('the table twin', 'placed', { view: 'table', layer: 'weighted' }),
      ],
    },
    { title: 'refusal-foot', note: 'under the matrix', specimens: every('refusal-foot', { 'with its legend': 'placed', refused: 'refused' }) },
    { title: 'cycle-says', note: 'the same in the board’s column', specimens: every('cycle-says', { placed: 'placed', 'by the draw': 'tied', refused: 'refused' }) },
    { title: 'filter-funnel', note: 'nodes left, filter by filter', specimens: every('filter-funnel', { 'some pass': 'placed', 'none passes': 'refused', lost: 'lost' }) },
    { title: 'podium-bars', note: 'best three, and the draw among equals', specimens: every('podium-bars', { 'a winner': 'placed', 'by the draw': 'tied', 'nothing scored': 'refused' }) },
    {
      title: 'explain-card',
      note: 'every number opens',
      specimens: [
        explained('nothing chosen', null),
        explained('on its way', cell),
        explained('a score', sample.cell),
        explained('cannot be told', { ...cell, error: 'The server did not answer.' }),
      ],
    },
    {
      title: 'weight-sliders',
      note: 'summed anew at once',
      wide: true,
      columns: 'three',
      specimens: [...every('weight-sliders', { 'as in the profile': 'placed' }), tried('one weight changed', (at) => (at ? 1 : 40)), tried('all at 0', () => 0)],
    },
    { title: 'refusal-table', note: 'by reason', specimens: every('refusal-table', { refused: 'refused', 'none refused': 'welcome', lost: 'lost' }) },
    { title: 'preemption-table', note: 'who would have to go', wide: true, section: true, specimens: every('preemption-table', { nominated: 'preempting', 'helps nowhere': 'refused', 'may not': 'ineligible' }) },
    { title: 'topology-tables', note: 'spread by domain, affinity by term', section: true, specimens: [{ text: 'both', tag: 'topology-tables', draw: (element) => element.draw(sample.topology) }] },
    { title: 'scheduler-message', note: 'as kubectl describe prints it', specimens: every('scheduler-message', { scheduled: 'placed', failed: 'refused', open: 'popped' }) },
    { title: 'task-gantt', note: 'one lane a worker', specimens: every('task-gantt', { 'two workers': 'placed', 'no timings': 'untimed' }, { props: { tabindex: 0, role: 'group', 'aria-label': 'Chart of timings' } }) },
    { title: 'cycle-verdict', note: 'the answer first', wide: true, specimens: every('cycle-verdict', { placed: 'placed', 'by the draw': 'tied', refused: 'refused', open: 'reducing' }, { looks: 'verdict' }) },
  ];
}
