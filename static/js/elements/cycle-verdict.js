// The cycle page's answer: one sentence, one line of facts.
import { h, icon, sentence } from '../dom.js';
import { bind } from '../keys.js';
import { bindPhaseKeys } from './phase-keys.js';
import { clock, count, milliseconds, plural } from '../format.js';
import { timed } from '../timed.js';
import { momentOf } from './timeline-travel.js';

const OUTCOMES = {
  open: ['acc', 'run', 'open'],
  bound: ['ok', 'tick', 'placed'],
  unschedulable: ['no', 'cross', 'refused'],
  error: ['no', 'warn', 'error'],
};

const SPENT = 'From the beginning of the attempt to the end of its last phase, as under Timings: time of Podium, not of kube-scheduler';

class CycleVerdict extends HTMLElement {
  start(store, { base }) {
    Object.assign(this, { store, base });
    bindPhaseKeys(store);
    if (!store.state.past) bind('End', 'back to the end of the cycle', () => store.dispatch({ type: 'shown', cycle: null }));
  }

  update({ shown, cycle: whole, cluster }) {
    const cycle = shown ?? whole;
    if (cycle === this.drawn) return;
    this.drawn = cycle;
    const [looks, sign, word] = OUTCOMES[cycle.outcome];
    const spent = timed(cycle).span;
    const unknown = cycle.lost || (cycle.outcome === 'error' && !cycle.evaluated);
    const back = () => this.store.dispatch({ type: 'shown', cycle: null });
    const facts = [
      shown
        ? h('span', { class: 'acc' }, `as it stood after ${cycle.phase} `, h('button', { class: 'button button-quiet', type: 'button', onclick: back }, 'Show its end'))
        : h('span', { class: looks }, icon(sign), ` ${word}`),
      h('span', {}, `attempt ${cycle.attempt}`),
      unknown ? '' : h('span', {}, `${count(cycle.feasible)} of ${plural(cycle.node_count, 'node')} feasible`),
      !unknown && cycle.evaluated < cycle.node_count
        ? h('span', { title: 'The search stops when enough nodes are found' }, `${count(cycle.evaluated)} looked at`)
        : '',
      spent ? h('span', { class: 'mono', title: SPENT }, milliseconds(spent)) : '',
      h('span', {}, 'at ', h('span', { class: 'mono' }, clock(cycle.popped_us, cluster.start_us))),
      h('a', { href: momentOf(this.base, cycle.popped_seq), title: 'The cluster at the moment of its Pop' }, 'event ', h('span', { class: 'mono' }, count(cycle.popped_seq))),
      cycle.tie ? h('span', { class: 'hide-s' }, 'seed ', h('span', { class: 'mono' }, cycle.tie.seed)) : '',
    ];
    this.replaceChildren(h('h1', {}, sentence(cycle.sentence)), h('div', { class: 'verdict-facts' }, facts));
  }
}

customElements.define('cycle-verdict', CycleVerdict);
