// The message as an engineer sees it in kubectl describe, to select and copy.
import { h, icon, announce } from '../dom.js';

const COUNTED = 'Counts are reasons: a node may appear under several, so they can add up to more than the nodes.';

class SchedulerMessage extends HTMLElement {
  update(state) {
    const cycle = state.shown ?? state.cycle;
    if (cycle === this.drawn) return;
    this.drawn = cycle;
    if (this.dataset.when === 'refused') this.hidden = !cycle?.message || cycle.outcome === 'bound';
    if (!cycle || this.hidden) return;
    if (!cycle.message) {
      this.replaceChildren(h('p', { class: 'soft' }, cycle.whole ? `After ${cycle.phase} there was no message yet.` : 'The cycle is open: there is no message yet.'));
      return;
    }
    const ok = cycle.outcome === 'bound';
    const line = `${ok ? 'Normal ' : 'Warning'}  ${(ok ? 'Scheduled' : 'FailedScheduling').padEnd(16)}  default-scheduler  ${cycle.message}`;
    const copy = h(
      'button',
      {
        class: 'button button-quiet button-icon',
        type: 'button',
        'aria-label': 'Copy the message',
        onclick: async () => {
          await navigator.clipboard.writeText(cycle.message);
          announce('Message copied');
          copy.replaceChildren(icon('tick'));
        },
      },
      icon('copy'),
    );
    this.replaceChildren(
      h(
        'div',
        { class: 'message', 'data-kind': ok ? 'ok' : null },
        h('pre', {}, line),
        copy,
        ok || cycle.outcome === 'error' // a plugin's own words are not kube-scheduler's
          ? ''
          : h('footer', {}, `Text of kube-scheduler v1.34.${cycle.refusals.length > 1 ? ` ${COUNTED}` : ''}`),
      ),
    );
  }
}

customElements.define('scheduler-message', SchedulerMessage);
