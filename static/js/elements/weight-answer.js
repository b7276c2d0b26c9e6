// Where the pod would go under other weights, in a sentence.
import { h } from '../dom.js';
import { count, plural } from '../format.js';
import { rescored } from '../scores.js';

export function answered(cycle, weights, changed) {
  const { leaders, top, totals } = rescored(cycle, weights);
  const names = leaders.map((row) => cycle.rows.names[row]);
  const node = (name) => h('code', {}, name);
  if (!changed) return ['Move a weight: the stored scores of this cycle are summed anew at once.'];
  const binned = cycle.rows.bins.some((size) => size > 1) ? ' (among the 50 best nodes)' : '';
  if (!top) return [`Every total would be 0: the draw would decide among ${plural(names.length, 'node')}${binned}.`];
  if (names.length > 1 && names.includes(cycle.winner))
    return [
      node(cycle.winner),
      ` would share the lead with ${count(names.length - 1)} more at ${count(top)}${binned}; the draw would decide.`,
    ];
  if (names.length > 1)
    return [
      `${plural(names.length, 'node')} would share the lead at ${count(top)}${binned}: `,
      ...names.slice(0, 4).flatMap((name, at) => [at ? ', ' : '', node(name)]),
      names.length > 4 ? ' and others.' : '.',
    ];
  const winner = cycle.rows.names.indexOf(cycle.winner);
  if (names[0] === cycle.winner) return ['It would still go to ', node(names[0]), ` with ${count(top)}${binned}.`];
  return [
    'It would go to ',
    node(names[0]),
    ` instead, with ${count(top)}; `,
    node(cycle.winner),
    ` would have ${count(totals[winner])}${binned}.`,
  ];
}
