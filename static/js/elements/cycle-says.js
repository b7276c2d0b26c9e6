// The cycle in one sentence, and who computed it.
import { announce, h, icon, parted, sentence } from '../dom.js';
import { plural } from '../format.js';
import { lostTasks } from '../lost-tasks.js';

const SHOWN = 6; // maps told one by one

class CycleSays extends HTMLElement {
  start(store, { base }) {
    this.base = base;
  }

  update(state) {
    const cycle = state.shown ?? state.cycle;
    const key = cycle ?? (state.past ? 'past' : 'none');
    if (key === this.drawn) return;
    this.drawn = key;
    if (!cycle) {
      this.told = '';
      this.replaceChildren(...(state.past ? [notYet()] : [])); // of the present: first-cycle
      return;
    }
    this.tell(state, cycle.sentence.replaceAll('`', ''));
    const say = h('p', { class: 'cyc-say' }, sentence(cycle.sentence));
    this.linkPod(say, cycle.pod);
    const lost = lostTasks(cycle);
    const note = lost ? h('p', { class: 'cyc-lost' }, icon('warn'), h('span', {}, lost)) : '';
    this.replaceChildren(h('div', { class: 'cyc-top' }, say, ' ', tasks(cycle, `${this.base}cycles/${cycle.number}/#h-timings`), note));
  }

  // What a step came to is told once. A run would never stop talking, and what stands there at first was not asked for.
  tell({ cluster }, text) {
    const isNews = this.told !== undefined && this.told !== text && cluster.wanted !== 'running';
    this.told = text;
    if (isNews) announce(text);
  }

  linkPod(say, pod) {
    const code = [...say.querySelectorAll('code')].find((one) => one.textContent === pod);
    if (code) code.replaceWith(h('a', { class: code.classList.contains('long') ? 'mono strong long' : 'mono strong', href: `${this.base}pods/${pod}/` }, parted(pod)));
  }
}

const notYet = () => h('div', { class: 'empty' }, h('h3', {}, 'No pod had been scheduled yet'), h('p', {}, 'The first cycle comes later: go on along the timeline.'));

// Who mapped and reduced. Words are parted by spaces, so that the text reads the same when it is copied.
function tasks(cycle, timings) {
  const maps = cycle.tasks.filter((task) => task.kind === 'map');
  const reduces = cycle.tasks.filter((task) => task.kind === 'reduce');
  if (!maps.length && !reduces.length) return '';
  const workers = new Set(maps.map((task) => task.worker));
  const where = workers.has('core') && workers.size === 1 ? 'in process' : `on ${plural(workers.size, 'worker')}`;
  const reducing = cycle.algorithms.filter((algorithm) => algorithm.state === 'reducing');
  const reduce = reducing.length
    ? reducing.map((one) => `${one.worker} ${one.name}`).join(', ')
    : plural(reduces.length, 'task');
  return h(
    'p',
    { class: 'cyc-tasks label' },
    h('span', {}, `Map: ${plural(cycle.feasible, 'node')} in ${plural(maps.length, 'range')} ${where}`),
    maps
      .slice(0, SHOWN)
      .flatMap((task) => [' ', h('span', { class: 'mono', title: `${task.worker} computed ${task.label} (time of Podium's workers, not of kube-scheduler)` }, `${task.worker} ${task.ms.toFixed(2)} ms`)]),
    ' ',
    h('span', {}, `Reduce: ${reduce}, `, h('a', { href: timings, title: 'Every phase, range and reduce on a line of time' }, 'timings')),
  );
}

customElements.define('cycle-says', CycleSays);
