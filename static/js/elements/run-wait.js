// While a run waits: for what, until when, how long that still is, and what can be done meanwhile.
import { h, icon, setText } from '../dom.js';
import { runFlatOut } from '../flat-out.js';
import { IDLE } from '../until.js';
import { waitOf, waitWords } from '../waiting.js';

class RunWait extends HTMLElement {
  start(store, { base }) {
    const stop = { class: 'button', type: 'button', title: 'Runs flat out, and stops by itself when nothing is left to do', onclick: () => runFlatOut(store, base, IDLE) };
    this.text = h('p');
    this.ways = h('span', { class: 'row row-wrap' }, h('button', stop, 'Stop at idle', h('kbd', {}, 'I')));
    this.how = h('p', { class: 'dim key-hint' }, h('kbd', {}, 'Space'), ' pauses; then ', h('kbd', {}, 'X'), ' goes to that moment at once.');
    this.replaceChildren(h('div', { class: 'banner' }, icon('wait'), this.text, this.ways, this.how));
    this.hidden = true;
  }

  update(state) {
    const wait = waitOf(state);
    this.hidden = !wait || wait.shortened; // what is over at once would only move the page
    if (this.hidden) return;
    setText(this.text, waitWords(wait, state.cluster.start_us));
    this.ways.hidden = this.how.hidden = !state.cluster.can_write;
  }
}

customElements.define('run-wait', RunWait);
