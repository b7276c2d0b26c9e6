// Where the columns do not fit beside each other: which one is on screen.
import { h, setProps, setText } from '../dom.js';
import { count } from '../format.js';

const PARTS = [
  ['queues', 'Queues'],
  ['cycle', 'Cycle'],
  ['cluster', 'Cluster'],
];

class BoardTabs extends HTMLElement {
  start(store) {
    this.figures = PARTS.map(() => h('b'));
    this.tabs = PARTS.map(([tab, text], at) =>
      h(
        'button',
        { type: 'button', 'data-tab': tab, onclick: () => store.dispatch({ type: 'ui', ui: { tab } }) },
        text,
        ' ',
        this.figures[at],
      ),
    );
    this.append(h('div', { class: 'board-tabs', role: 'group', 'aria-label': 'Part of the board' }, this.tabs));
  }

  update({ lanes, map, cycle, shown, ui }) {
    const waiting = lanes.reduce((sum, lane) => sum + lane.count, 0);
    const figures = [count(waiting), (shown ?? cycle)?.number ?? '–', count(map.node_count)];
    figures.forEach((figure, at) => setText(this.figures[at], String(figure)));
    for (const tab of this.tabs) setProps(tab, { 'aria-pressed': String(tab.dataset.tab === ui.tab) });
    this.parentElement.dataset.tab = ui.tab;
  }
}

customElements.define('board-tabs', BoardTabs);
