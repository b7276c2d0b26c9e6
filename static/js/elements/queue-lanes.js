// The queues: lanes of cards, in the exact order of the scheduler. A card that changes lane travels there.
import { announce, h, icon, keyed, setProps, setText } from '../dom.js';
import { count } from '../format.js';
import { measure, travel } from '../flip.js';
import { bind } from '../keys.js';
import { Arrivals } from './lane-arrivals.js';
import { LANES, laneOf, restOf } from './queue-lane.js';
import { tellForeign } from './foreign-pods.js';
import { walkCards } from './walk.js';
import { podCard, patchCard } from './pod-card.js';

const STORM = 40; // events at once, some ten cycles: nobody can follow what moved meanwhile

class QueueLanes extends HTMLElement {
  static measures = true;

  start(store, { base }) {
    this.store = store;
    this.base = base;
    this.lanes = new Map();
    this.arrivals = new Arrivals(() => this.update(this.store.state));
    this.waiting = h('span', { class: 'dim' });
    this.filter = h('input', {
      class: 'input',
      placeholder: 'Filter pods',
      'aria-label': 'Filter pods of the queues',
      type: 'search',
      oninput: () => store.dispatch({ type: 'ui', ui: { filter: this.filter.value.trim() } }),
    });
    bind('/', 'filter the queues', () => this.filter.focus());
    this.body = h('div', { class: 'pane-body', tabindex: '0', role: 'group', 'aria-label': 'Lanes' });
    this.body.addEventListener('click', (event) => this.pick(event));
    this.body.addEventListener('keydown', (event) => walkCards(this.body, event));
    this.append(
      h(
        'header',
        { class: 'pane-head' },
        h('h2', {}, 'Queues'),
        this.waiting,
        h('span', { class: 'push' }),
        h('div', { class: 'filter lane-filter' }, icon('search'), this.filter),
      ),
      this.body,
    );
    for (const name of Object.keys(LANES)) {
      this.lanes.set(name, laneOf(name));
      this.body.append(this.lanes.get(name).root);
    }
    this.foreign = h('div', { hidden: true });
    this.body.append(this.foreign);
  }

  update(state) {
    const parts = this.parts(state);
    while (!parts.next().done);
  }

  // A lane a part, but where a card travels: then all at once.
  *parts(state) {
    const { lanes, extra, ui, cluster, cycle } = state;
    const key = [lanes, extra, ui.filter, cluster.now_us, cycle?.phase, ui.picked, this.arrivals.marked.size];
    if (this.drawn?.every((value, at) => value === key[at])) return;
    const moved = this.arrivals.of(lanes);
    const before = cluster.seq - this.seq > STORM ? null : measure(this.body, moved);
    this.seq = cluster.seq;
    setText(this.waiting, `${count(lanes.reduce((sum, lane) => sum + lane.count, 0))} waiting`);
    const context = {
      nowUs: cluster.now_us,
      picked: ui.picked,
      arrived: this.arrivals.marked,
      cycle: cycle?.outcome === 'open' ? `${cycle.phase} · cycle ${cycle.number}` : '',
    };
    for (const lane of lanes) {
      this.paint(lane, state, { ...context, lane: lane.name });
      if (!before) yield;
    }
    tellForeign(this.foreign, this.base, cluster);
    travel(this.body, before);
    this.drawn = key; // not before: what is begun may be left for a newer state
  }

  paint(lane, state, context) {
    const parts = this.lanes.get(lane.name);
    const all = [...lane.cards, ...(state.extra[lane.name] ?? [])];
    const cards = state.ui.filter ? all.filter((card) => card.key.includes(state.ui.filter)) : all;
    setText(parts.figure, state.ui.filter && lane.count ? `${count(cards.length)} of ${count(lane.count)}` : count(lane.count));
    keyed(
      parts.list,
      cards,
      (card) => card.key,
      (card) => podCard(this.base, card),
      (node, card) => patchCard(node, card, context),
    );
    setProps(parts.root, { 'data-empty': !cards.length });
    if (parts.cards !== lane.cards) {
      parts.cards = lane.cards; // as many places as the longest priority needs
      const most = lane.cards.reduce((long, card) => Math.max(long, count(card.priority).length), 1);
      parts.root.style.setProperty('--prio', `${most}ch`);
    }
    const hidden = lane.count - all.length;
    const rest = `${lane.name} ${hidden} ${cards.length} ${all.length}`;
    if (parts.drawn === rest) return;
    parts.drawn = rest;
    parts.rest.replaceChildren(
      ...restOf(lane, hidden, all.length - cards.length, () => this.more(lane.name, all.length)),
    );
  }

  // The first click on a card asks all nodes, the second is a link like any other.
  pick(event) {
    const card = event.target.closest('.pod-card[data-key]');
    const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) && event.button === 0;
    if (!card || !plain || this.store.state.ui.picked === card.dataset.key) return;
    event.preventDefault();
    this.store.dispatch({ type: 'ui', ui: { picked: card.dataset.key, tab: 'cluster' } });
  }

  async more(lane, offset) {
    const { cluster, past } = this.store.state;
    const at = past ? `&at=${cluster.seq}` : '';
    const answer = await fetch(`${this.base}lanes/${lane}.json?offset=${offset}${at}`).catch(() => null);
    if (!answer?.ok) return announce('The rest of the lane could not be read');
    const { cards } = await answer.json();
    return this.store.dispatch({ type: 'more', lane, cards });
  }
}

customElements.define('queue-lanes', QueueLanes);
