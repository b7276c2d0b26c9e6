// What the run is to stop at by itself, and how far that still is.
import { h, setText } from '../dom.js';
import { untilWords } from '../until.js';

class RunUntil extends HTMLElement {
  start() {
    this.text = h('span', { class: 'clip' });
    this.replaceChildren(h('span', { class: 'chip chip-acc' }, this.text));
    this.hidden = true;
  }

  update({ cluster, past }) {
    if (cluster === this.drawn) return;
    this.drawn = cluster;
    const words = past ? [] : untilWords(cluster);
    this.hidden = !words.length;
    setText(this.text, `until ${words[0]}${words.length > 1 ? `, or ${words.length - 1} more` : ''}`);
    this.title = `The run stops when ${words.join(', or when ')}`;
  }
}

customElements.define('run-until', RunUntil);
