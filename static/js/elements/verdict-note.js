// Above the nodes: of which cycle their verdicts are, with the switch that shows or hides them.
import { h, setText } from '../dom.js';

export class VerdictNote {
  constructor(store) {
    const turn = ({ target }) => {
      const { cycle } = store.state;
      store.dispatch({ type: 'ui', ui: { verdicts: { cycle: cycle.number, shown: target.checked } } });
    };
    this.text = h('span');
    this.turn = h('input', { type: 'checkbox', role: 'switch', onchange: turn });
    this.root = h('label', { class: 'node-verdicts switch', title: 'Show on each node what this cycle said of it', hidden: true }, this.text, this.turn);
  }

  // `words`: of which cycle; nothing is said where no node was refused.
  tell(groups, words, shown) {
    this.root.hidden = !words || !groups.some((group) => group.tiles.some((tile) => tile.verdict));
    if (this.root.hidden) return;
    setText(this.text, `${words[0].toUpperCase()}${words.slice(1)}`);
    this.turn.checked = shown;
  }
}
