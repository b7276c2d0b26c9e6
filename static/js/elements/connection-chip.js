// Whether what is on screen is now: live, reconnecting, behind, or the past; and whether workers answer.
import { h, icon } from '../dom.js';

const LOOKS = {
  connecting: ['chip', 'connecting', 'The live connection is being opened'],
  live: ['chip chip-ok', 'live', 'Every change is shown as it happens'],
  reconnecting: [
    'chip chip-warn',
    'reconnecting',
    'The connection broke; it is tried again by itself. What is shown may be old.',
  ],
  behind: ['chip chip-warn', 'behind', 'News came but the state could not be fetched. Reload the page.'],
  past: ['chip chip-warn', 'past', 'You look at an earlier event'],
};

class ConnectionChip extends HTMLElement {
  start() {
    this.setAttribute('role', 'status');
    this.tick = setInterval(() => {
      if (this.since) this.words();
    }, 1000);
  }

  update({ link, cluster }) {
    const key = `${link.state} ${cluster.executor}`;
    this.since = link.state === 'reconnecting' ? link.since : 0;
    if (key === this.drawn) return;
    this.drawn = key;
    const [looks, word, title] = LOOKS[link.state];
    this.word = h('span', {}, word);
    const parts = [
      h(
        'span',
        { class: looks, 'data-state': link.state, title },
        h('i', { class: link.state === 'live' ? 'dot' : 'dot dot-ring' }),
        this.word,
      ),
    ];
    if (cluster.executor === 'in_process') {
      const why = 'No worker answered: map and reduce ran inside the web process. Results are the same. To have workers: manage.py worker';
      parts.push(h('span', { class: 'chip chip-line hide-m', title: why }, icon('info'), h('span', {}, 'in process')));
    }
    this.replaceChildren(...parts);
  }

  words() {
    const seconds = Math.round((Date.now() - this.since) / 1000);
    if (this.word && seconds >= 2) this.word.textContent = `reconnecting, ${seconds}s`;
  }
}

customElements.define('connection-chip', ConnectionChip);
