// Specimens of what is tried on a copy: changes for a waiting pod, and where a placed one would go.
import '../elements/fix-list.js';
import '../elements/would-go.js';
import { h } from '../dom.js';

const change = (kind, namespace, name, diff = [], action = 'change') => ({ action, kind, namespace, name, diff });
const fix = (id, outcome, title, told, more = {}) => ({ id, kind: id, outcome, title, told, note: '', rank: [0], moved: [], evicted: [], also: [], message: '', changes: [], ...more });

const LESS = fix('request', 'fits', 'Ask for **6** gpu instead of 8', 'Lands on `node-069`', {
  changes: [change('Pod', 'ml', 'train-9', ['       requests:', "-        example.com/gpu: '8'", "+        example.com/gpu: '6'", '         memory: 64Gi'])],
});
const MOVE = fix('move', 'fits', 'Move `ml/pod-075` and `ml/pod-165` off `node-069`', 'Lands on `node-069`; `ml/pod-075` → `node-047`, `ml/pod-165` → `node-047`; no disruption budget is broken', {
  moved: [{ pod: 'ml/pod-075' }, { pod: 'ml/pod-165' }],
  changes: [change('Pod', 'ml', 'pod-075', [], 'restart'), change('Pod', 'ml', 'pod-165', [], 'restart')],
});
const PRIORITY = fix('priority', 'no help', 'Raise its priority to **1,000** (class `high`) instead of 0', 'Preemption: on 21 nodes no pods of lower priority make room, on 69 nodes it would not help', {
  rank: [2],
  message: '0/90 nodes are available: 87 Insufficient example.com/gpu.',
});
const SLOW = fix('add-node', 'unfinished', 'Add one node like `node-069` (128 cpu, 768Gi memory, 8 gpu)', 'Not decided after two minutes of the cluster’s time.', { rank: [1] });

const BASE = { pod: 'ml/train-9', seq: 1284, as_it_is: '', silent: [], next: null, can_branch: true };
const of = (fixes, more = {}) => ({ ...BASE, total: fixes.length, fixes, ...more });

export function fixSections() {
  const list = (text, show) => ({ text, make: () => specimen(show), still: true });
  const asked = (text, show) => ({ text, make: () => specimen(show, 'would-go'), still: true });
  return [
    {
      title: 'fix-list',
      note: 'what would help, each tried on a copy',
      wide: true,
      columns: 'two',
      specimens: [
        list('looking', (one) => one.tell({ trying: 0 })),
        list('trying', (one) => one.take(of([LESS], { total: 4, next: 1 }))),
        list('tried', (one) => one.take(of([LESS, MOVE, SLOW, PRIORITY]))),
        list('for readers only', (one) => one.take(of([LESS], { can_branch: false }))),
        list('none found', (one) => one.take(of([PRIORITY]))),
        list('nothing to try', (one) => one.take(of([]))),
        list('fits as it is', (one) => one.take(of([], { as_it_is: 'Lands on `node-069`, one of 3 nodes that fit' }))),
        list('failed', (one) => one.fail({ error: 'What would help could not be found out: the server did not answer.' })),
      ],
    },
    {
      title: 'would-go',
      note: 'where a placed pod would go now',
      wide: true,
      columns: 'two',
      specimens: [
        asked('to be asked', () => {}),
        asked('trying', (one) => one.tell('trying', 'Trying it on a copy of the cluster, for 3 seconds…')),
        asked('out of date', (one) => one.tell('done', 'The cluster has changed since.', 'Try again')),
        asked('failed', (one) => one.tell('failed', 'It could not be tried: the server did not answer.', 'Try again')),
      ],
    },
  ];
}

function specimen(show, name = 'fix-list') {
  const element = h(name);
  element.connectedCallback();
  show(element);
  return element;
}
