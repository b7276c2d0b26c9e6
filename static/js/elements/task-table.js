// The chart of timings as a table: every phase and task with its worker, its beginning and its time.
import { h, icon } from '../dom.js';
import { milliseconds } from '../format.js';

export const WHOSE = "Time of Podium's workers, not of kube-scheduler.";
const HEADS = [
  ['task', ''],
  ['worker', ''],
  ['begins', 'n'],
  ['takes', 'n'],
];

export function taskTable(tasks, open) {
  const heads = HEADS.map(([name, looks]) => h('th', { scope: 'col', class: looks || null }, name));
  return h(
    'details',
    { class: 'task-table', open },
    h('summary', {}, icon('right', 'icon-s fold-sign'), 'As a table'),
    h(
      'table',
      { class: 'data-table' },
      h('caption', { class: 'vh' }, WHOSE),
      h('thead', {}, h('tr', {}, heads)),
      h('tbody', {}, tasks.map(line)),
    ),
  );
}

const line = (task) =>
  h(
    'tr',
    {},
    h('th', { scope: 'row' }, task.label, task.resent ? h('span', { class: 'dim' }, ' sent again') : ''),
    h('td', {}, task.worker),
    h('td', { class: 'n' }, milliseconds(task.start_ms)),
    h('td', { class: 'n' }, milliseconds(task.ms)),
  );
