// Above the nodes: of which cycle their verdicts are, and the button that puts them away or brings them back.
import { h, setProps, setText } from '../dom.js';
import { judges } from './verdict-age.js';

export class VerdictNote {
  constructor(store) {
    const turn = () => {
      const { cycle, ui } = store.state;
      store.dispatch({ type: 'ui', ui: { verdicts: { cycle: cycle.number, shown: !judges(cycle, ui) } } });
    };
    this.text = h('span');
    this.button = h('button', { class: 'button button-quiet', type: 'button', onclick: turn });
    this.root = h('div', { class: 'label node-verdicts', role: 'note', hidden: true }, this.text, this.button);
  }

  // `words`: of which cycle; nothing is said where no node was refused.
  tell(groups, words, shown) {
    this.root.hidden = !words || !groups.some((group) => group.tiles.some((tile) => tile.verdict));
    if (this.root.hidden) return;
    setText(this.text, shown ? `${words[0].toUpperCase()}${words.slice(1)}.` : `The ${words.split(',')[0]} are put away.`);
    setText(this.button, shown ? 'Hide' : 'Show');
    setProps(this.button, { 'aria-label': `${shown ? 'Hide' : 'Show'} the verdicts of this cycle` });
  }
}
