// What a run does when it does nothing: it waits for a timer; and what it is to stop at by itself, and how far that still is.
import { h, setProps, setText } from '../dom.js';
import { untilWords } from '../until.js';
import { waitBrief, waitOf, waitWords } from '../waiting.js';

class RunUntil extends HTMLElement {
  start() {
    this.text = h('span', { class: 'clip' });
    this.replaceChildren((this.chip = h('span', { class: 'chip' }, this.text)));
    this.hidden = true;
  }

  update(state) {
    const { cluster, lanes, past } = state;
    if (cluster === this.drawn && lanes === this.lanes) return;
    [this.drawn, this.lanes] = [cluster, lanes];
    const words = past ? [] : untilWords(cluster);
    const wait = this.matches('.run-until-row') ? null : waitOf(state); // where the board tells it in full
    const until = words.length ? `until ${words[0]}${words.length > 1 ? `, or ${words.length - 1} more` : ''}` : '';
    const stops = words.length ? `The run stops when ${words.join(', or when ')}. ` : '';
    this.hidden = !until && !wait;
    setText(this.text, wait ? waitBrief(wait) : until);
    setProps(this.chip, { class: wait ? 'chip chip-line' : 'chip chip-acc' });
    this.title = stops + (wait ? waitWords(wait, cluster.start_us) : '');
  }
}

customElements.define('run-until', RunUntil);
