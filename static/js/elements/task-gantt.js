// Time per phase and per task: one lane a worker, milliseconds from the start of the cycle.
import { h, s } from '../dom.js';
import { milliseconds, plural } from '../format.js';
import { taskTable, WHOSE } from './task-table.js';
import { lostTasks } from '../lost-tasks.js';
import { timed } from '../timed.js';

const LEFT = 64;
const [WIDE, NARROW] = [640, 340]; // of the drawing, on a desk and on a phone: letters keep their size
const LANE = 28;
const CLASSES = { map: 't-map', reduce: 't-red', phase: 't-core' };

class TaskGantt extends HTMLElement {
  update({ cycle }) {
    if (cycle === this.drawn) return;
    this.drawn = cycle;
    this.classList.add('task-gantt');
    if (!cycle.tasks.length) {
      this.replaceChildren(
        h(
          'div',
          { class: 'empty' },
          h('h3', {}, 'No timings were kept'),
          h(
            'p',
            {},
            'Timings are measured when a cycle is stepped; the scores themselves are computed again from the log.',
          ),
        ),
      );
      return;
    }
    const { tasks, span, phases } = timed(cycle);
    const width = matchMedia('(max-width: 600px)').matches ? NARROW : WIDE;
    const workers = [...new Set(tasks.map((task) => task.worker))].sort(
      (a, b) => (b === 'core') - (a === 'core') || a.localeCompare(b, 'en', { numeric: true }),
    );
    const end = Math.max(span, 0.01);
    const x = (ms) => LEFT + (ms / end) * (width - LEFT - 16);
    const height = workers.length * LANE + 36;
    const resent = cycle.tasks.filter((task) => task.resent).length;
    const open = this.querySelector('details')?.open ?? false;
    this.replaceChildren(
      s(
        'svg',
        {
          viewBox: `0 0 ${width} ${height}`,
          role: 'img',
          'aria-label': `${plural(cycle.tasks.length, 'task')} on ${plural(workers.length, 'worker')}, ${milliseconds(end)} in all. ${WHOSE}`,
        },
        ticks(end, width).flatMap((ms) => tick(ms, x, height)),
        workers.flatMap((worker, at) => lane(worker, at, width)),
        tasks.map((task) => bar(task, workers.indexOf(task.worker), x, roomAfter(task, tasks, x, width))),
      ),
      h(
        'p',
        { class: 'dim gantt-note' },
        `${milliseconds(end)} from beginning to end, ${milliseconds(phases)} of them in the phases.${resent ? ` ${resent} sent again after the deadline.` : ''} ${lostTasks(cycle) || cycle.note} ${WHOSE}`,
      ),
      taskTable(tasks, open),
    );
  }
}

const lane = (worker, at, width) => [
  s('text', { x: 0, y: at * LANE + 27 }, worker),
  s('line', { class: 'lane', x1: LEFT, x2: width, y1: at * LANE + 37, y2: at * LANE + 37 }),
];

// Where the next bar of the same lane begins: a label must end before it.
function roomAfter(task, tasks, x, width) {
  const later = tasks.filter((one) => one !== task && one.worker === task.worker && one.start_ms >= task.start_ms);
  return Math.min(width, ...later.map((one) => x(one.start_ms) - 4));
}

function bar(task, at, x, room) {
  const start = x(task.start_ms);
  const width = Math.max(1.5, x(task.start_ms + task.ms) - start);
  const y = at * LANE + 14;
  const words = task.label.length * 6.7 + 8;
  const inside = width > words;
  const shown = inside || (task.kind !== 'phase' && start + width + words < room);
  const looks = !inside ? 'lab' : task.kind === 'reduce' ? 'on-dark' : 'on';
  const title = `${task.label}, ${task.worker}: ${milliseconds(task.ms)}${task.resent ? ', sent again' : ''}. ${WHOSE}`;
  return s(
    'g',
    {},
    s(
      'rect',
      { class: CLASSES[task.kind], x: start.toFixed(1), y, width: width.toFixed(1), height: 18, rx: 1 },
      s('title', {}, title),
    ),
    shown ? s('text', { class: looks, x: inside ? start + 5 : start + width + 5, y: y + 13 }, task.label) : null,
  );
}

const tick = (ms, x, height) => [
  s('line', { class: 'lane', x1: x(ms), x2: x(ms), y1: 6, y2: height - 24 }),
  s('text', { x: x(ms), y: height - 8, 'text-anchor': 'middle' }, ms),
];

function ticks(end, width) {
  const rough = end / Math.floor(width / 120);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough);
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, at) => Number((at * step).toPrecision(3)));
}

customElements.define('task-gantt', TaskGantt);
