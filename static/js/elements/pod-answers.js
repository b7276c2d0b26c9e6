// A pod was picked: which nodes would take it. Asked anew when the cluster has changed; Esc or the cross ends it.
import { announce, h, icon, setText } from '../dom.js';
import { answerWords } from '../answers.js';
import { withKey } from '../keyboard.js';
import { rich } from '../rich.js';

const PAUSE_MS = 300; // between questions, while the cluster changes

class PodAnswers extends HTMLElement {
  start(store, { base }) {
    this.store = store;
    this.base = base;
    this.hidden = true;
    this.words = h('span');
    this.link = h('a', { class: 'mono strong' });
    this.why = h('a', {}, 'Why');
    const end = () => this.drop();
    this.append(
      h('p', {}, this.link, ' ', this.words, '. ', this.why),
      h('button', { class: 'button button-quiet button-icon', type: 'button', 'aria-label': 'Unpick the pod', title: withKey('Unpick', 'Esc'), onclick: end }, icon('cross')),
    );
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) this.drop();
    });
  }

  update({ ui: { picked }, cluster, lanes }) {
    const key = `${picked} ${cluster.seq}`;
    if (key === this.drawn) return;
    const fresh = this.picked !== picked;
    [this.drawn, this.picked] = [key, picked];
    this.hidden = !picked;
    if (!picked) return;
    if (!fresh && gone(lanes, picked)) return this.drop();
    if (fresh) {
      this.store.dispatch({ type: 'answers', answers: null });
      setText(this.link, picked);
      this.link.href = this.why.href = `${this.base}pods/${picked}/`;
      setText(this.words, 'is being asked about at every node');
    }
    this.ask(picked, fresh);
  }

  // One question at a time; the last one is asked again if it was overtaken.
  async ask(picked, fresh) {
    if (this.asking && !fresh) {
      this.again = true;
      return;
    }
    const asked = (this.asking = {});
    const { cluster, past } = this.store.state;
    const answer = await fetch(`${this.base}pods/${picked}/answers.json${past ? `?at=${cluster.seq}` : ''}`).catch(() => null);
    if (asked !== this.asking) return;
    if (answer?.ok) this.tell(await answer.json(), fresh);
    else if (answer?.status === 404 && !fresh) this.drop(); // placed, or deleted: nodes need not answer any more
    else setText(this.words, answer?.status === 404 ? 'does not wait any more' : 'could not be asked about');
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    if (asked !== this.asking) return;
    this.asking = null;
    if (this.again && this.picked) this.ask(this.picked, false);
    this.again = false;
  }

  tell(answers, fresh) {
    if (answers.pod !== this.picked) return;
    this.words.replaceChildren(...rich(answerWords(answers)));
    if (fresh) announce(`${answers.pod} ${this.words.textContent}`);
    this.store.dispatch({ type: 'answers', answers });
  }

  drop() {
    if (!this.store.state.ui.picked) return;
    this.asking = null;
    this.store.dispatch({ type: 'answers', answers: null });
    this.store.dispatch({ type: 'ui', ui: { picked: '' } });
  }
}

// Known not to wait: not on a card, in lanes that are all on screen.
const gone = (lanes, key) =>
  lanes.every((lane) => lane.count <= lane.cards.length && !lane.cards.some((card) => card.key === key));

customElements.define('pod-answers', PodAnswers);
