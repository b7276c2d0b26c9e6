// The cycle in one sentence, and who computed it.
import { h, sentence } from '../dom.js';
import { plural } from '../format.js';

class CycleSays extends HTMLElement {
  start(store, { base }) {
    this.base = base;
  }

  update(state) {
    const cycle = state.shown ?? state.cycle;
    if (cycle === this.drawn) return;
    this.drawn = cycle;
    if (!cycle) {
      this.replaceChildren(
        h(
          'div',
          { class: 'empty' },
          h('h3', {}, 'No pod has been scheduled yet'),
          h(
            'p',
            {},
            'Step one cycle (',
            h('kbd', {}, 'S'),
            ') or run (',
            h('kbd', {}, 'Space'),
            ') and watch the scheduler decide.',
          ),
        ),
      );
      return;
    }
    const say = h('p', { class: 'cyc-say' }, sentence(cycle.sentence));
    this.linkPod(say, cycle.pod);
    this.replaceChildren(h('div', { class: 'cyc-top' }, say, tasks(cycle)));
  }

  linkPod(say, pod) {
    const code = [...say.querySelectorAll('code')].find((one) => one.textContent === pod);
    if (code) code.replaceWith(h('a', { class: 'mono strong', href: `${this.base}pods/${pod}/` }, pod));
  }
}

function tasks(cycle) {
  const maps = cycle.tasks.filter((task) => task.kind === 'map');
  const reduces = cycle.tasks.filter((task) => task.kind === 'reduce');
  if (!maps.length && !reduces.length) return '';
  const workers = new Set(maps.map((task) => task.worker)).size;
  const reducing = cycle.algorithms.filter((algorithm) => algorithm.state === 'reducing');
  return h(
    'p',
    { class: 'cyc-tasks label' },
    h(
      'span',
      {},
      `Map: ${plural(cycle.feasible, 'node')} in ${plural(maps.length, 'range')} on ${plural(workers, 'worker')}`,
    ),
    maps.slice(0, 6).map((task) => h('span', { class: 'mono' }, `${task.worker} ${task.ms.toFixed(2)} ms`)),
    h(
      'span',
      { class: 'push' },
      reducing.length
        ? `Reduce: ${reducing.map((one) => `${one.worker} ${one.name}`).join(', ')}`
        : `Reduce: ${plural(reduces.length, 'task')}`,
    ),
  );
}

customElements.define('cycle-says', CycleSays);
