// <import-steps>: how far an import is. `update(steps)` repaints; the server has drawn the first state.
import { h, icon, meter } from '../dom.js';

const SIGNS = { done: 'tick', run: 'run', fail: 'cross', wait: 'wait', skip: 'minus' };

class ImportSteps extends HTMLElement {
  update(steps) {
    const text = JSON.stringify(steps);
    if (text === this.shown) return;
    this.shown = text;
    this.replaceChildren(...steps.map((step) => this.row(step)));
  }

  row({ label, state, note, percent }) {
    return h('div', { class: 'step', 'data-state': state },
      icon(SIGNS[state]),
      h('span', { class: state === 'run' ? 'strong' : null }, label),
      h('span', { class: 'mono dim' }, note),
      percent === null ? null : meter(percent / 100, 'm-acc'));
  }
}

customElements.define('import-steps', ImportSteps);
