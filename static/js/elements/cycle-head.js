// The head of the board's middle column: which cycle, where it stands, turning to others.
import { h, icon, redraw } from '../dom.js';
import { shortcut, withKey } from '../keyboard.js';
import { bind } from '../keys.js';
import { bindPhaseKeys } from './phase-keys.js';

const OUTCOMES = {
  bound: ['chip-ok', 'tick', 'placed'],
  unschedulable: ['chip-no', 'cross', 'refused'],
  error: ['chip-no', 'warn', 'error'],
};

class CycleHead extends HTMLElement {
  start(store, { base }) {
    this.store = store;
    this.base = base;
    bind(',', 'previous cycle', () => this.turn(-1));
    bind('.', 'next cycle', () => this.turn(1));
    bindPhaseKeys(store);
    if (!store.state.past)
      bind('End', 'back to the newest cycle', () => store.dispatch({ type: 'shown', cycle: null }));
  }

  async turn(by) {
    const { state } = this.store;
    const now = state.shown ?? state.cycle;
    const wanted = now ? now.number + by : 0;
    if (!now || wanted < 1 || wanted > state.cycle.number) return;
    if (wanted === state.cycle.number) return this.store.dispatch({ type: 'shown', cycle: null });
    const answer = await fetch(`${this.base}cycles/${wanted}.json`).catch(() => null);
    if (answer?.ok) this.store.dispatch({ type: 'shown', cycle: await answer.json() });
    else this.store.dispatch({ type: 'command', command: { error: `Cycle ${wanted} could not be read.` } });
  }

  update({ shown, cycle, progress, cluster }) {
    const now = shown ?? cycle;
    const ahead = now && progress?.cycle > cycle.number && cluster.wanted !== 'running' ? progress.cycle : 0;
    const key = now ? `${now.number} ${now.outcome} ${now.phase} ${cycle.number} ${Boolean(shown)} ${ahead}` : '';
    if (key === this.drawn) return;
    this.drawn = key;
    if (!now) return this.replaceChildren(h('h2', {}, 'Cycle'));
    const [looks, sign, word] = OUTCOMES[now.outcome] ?? ['chip-acc', 'run', now.phase];
    const arrow = (text, key, name, by, off) =>
      h(
        'button',
        {
          class: 'button button-quiet button-icon',
          type: 'button',
          'aria-label': text,
          'aria-keyshortcuts': shortcut(key),
          title: withKey(text, key),
          disabled: off,
          onclick: () => this.turn(by),
        },
        icon(name),
      );
    redraw(
      this,
      h('h2', { class: 'nowrap' }, `Cycle ${now.number}`),
      h('span', { class: `chip ${looks}` }, icon(sign), h('span', {}, word)),
      ahead ? h('span', { class: 'chip chip-acc hide-s' }, icon('run'), h('span', {}, `cycle ${ahead} is under way`)) : '',
      h('span', { class: 'push' }),
      shown
        ? h(
            'button',
            {
              class: 'button button-quiet',
              type: 'button',
              onclick: () => this.store.dispatch({ type: 'shown', cycle: null }),
            },
            'Newest',
          )
        : '',
      arrow('Previous cycle', ',', 'left', -1, now.number <= 1),
      arrow('Next cycle', '.', 'right', 1, now.number >= cycle.number),
      h('a', { class: 'button button-quiet', href: `${this.base}cycles/${now.number}/`, 'aria-label': 'Open' }, icon('link'), h('span', { class: shown ? 'hide-s' : null }, 'Open')),
    );
  }
}

customElements.define('cycle-head', CycleHead);
