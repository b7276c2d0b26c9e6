// While a run waits: for what, until when, and how long that still is.
import { h, icon, setText } from '../dom.js';
import { waitOf, waitWords } from '../waiting.js';

class RunWait extends HTMLElement {
  start() {
    this.text = h('p');
    this.replaceChildren(h('div', { class: 'banner' }, icon('wait'), this.text));
    this.hidden = true;
  }

  update(state) {
    const wait = waitOf(state);
    this.hidden = !wait;
    if (wait) setText(this.text, waitWords(wait, state.cluster.start_us));
  }
}

customElements.define('run-wait', RunWait);
