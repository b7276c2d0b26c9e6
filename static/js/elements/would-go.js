// Where a placed pod would go now: one attempt that the server makes on a copy, when somebody asks, or at once (`data-auto`).
import { announce, h, icon, setText } from '../dom.js';
import { plural } from '../format.js';
import { then } from '../past.js';

const PATIENCE_MS = 20_000;
const TICK_MS = 1000;

class WouldGo extends HTMLElement {
  connectedCallback() {
    if (this.words) return;
    this.words = h('p', { role: 'status', tabindex: '-1' });
    this.button = h('button', { class: 'button', type: 'button', onclick: () => this.load() }, icon('play'), h('span', {}, 'Try it'));
    this.says = h('div', { class: 'would-go-says' }, this.words, this.button);
    this.told = h('div');
    this.replaceChildren(this.told, this.says);
    this.tell('idle', 'One attempt to schedule it, as if it were next. Nothing is changed.');
    if ('auto' in this.dataset) this.load();
  }

  // The page's live state: what was found is of one moment, and whoever wants a newer one asks for it.
  update({ cluster, past }) {
    if (past || this.dataset.state !== 'done' || cluster.seq === this.seq) return;
    this.tell('done', 'The cluster has changed since.', 'Try again');
  }

  async load() {
    const since = performance.now();
    const isWalked = document.activeElement === this.button; // by keys: what is told takes the place of the button
    const wait = () => this.tell('trying', `Trying it on a copy of the cluster${waited(performance.now() - since)}…`);
    wait();
    if (isWalked) this.words.focus();
    const ticks = setInterval(wait, TICK_MS);
    const found = await ask(this.dataset.url);
    clearInterval(ticks);
    if (found.error) {
      this.tell('failed', found.error, 'Try again');
      if (isWalked) this.button.focus();
      return;
    }
    this.told.replaceChildren(...found.piece);
    this.seq = found.seq;
    this.tell('done', '');
    const say = this.told.querySelector('.say');
    announce(say.textContent.trim());
    if (!isWalked) return;
    say.tabIndex = -1;
    say.focus({ preventScroll: true });
  }

  tell(state, words, button = 'Try it') {
    this.dataset.state = state;
    this.says.hidden = state === 'done' && !words;
    setText(this.words, words);
    setText(this.button.lastChild, button);
    this.button.hidden = state === 'trying';
    if (state === 'failed') this.told.replaceChildren();
  }
}

const waited = (ms) => (ms < 2 * TICK_MS ? '' : `, for ${plural(Math.floor(ms / 1000), 'second')}`);

async function ask(url) {
  const late = AbortSignal.timeout(PATIENCE_MS);
  try {
    const answer = await fetch(then(url), { headers: { accept: 'text/html' }, signal: late });
    if (answer.status === 404) return { error: 'The pod is not there any more.' };
    const { body } = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const told = body.querySelector('[data-seq]'); // a login page has none
    if (!answer.ok || !told) return { error: 'It could not be tried: the server did not tell. Reload the page.' };
    return { piece: body.childNodes, seq: Number(told.dataset.seq) };
  } catch {
    return { error: late.aborted ? `It could not be told within ${PATIENCE_MS / 1000} seconds.` : 'It could not be tried: the server did not answer.' };
  }
}

customElements.define('would-go', WouldGo);
