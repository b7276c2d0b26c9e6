// Why something was refused, what was undone, or why a run stopped: a line of its own, until it is closed or something else
// is done.
import { LOG_IN, send } from '../commands.js';
import { announce, h, icon, setProps, setText } from '../dom.js';
import { withKey } from '../keyboard.js';
import { dismiss } from '../messages.js';
import { close, forget, wasTold } from '../run-told.js';

const loginLink = () =>
  h('a', { href: `/login/?next=${encodeURIComponent(location.pathname + location.search)}` }, LOG_IN);

class RunNote extends HTMLElement {
  start(store, { base }) {
    Object.assign(this, { store, base });
    document.addEventListener('submit', () => forget(base)); // a run asked for by a form may end alike
    this.sign = h('span');
    this.text = h('p');
    const look = { class: 'button button-quiet button-icon', type: 'button', 'aria-label': 'Close this note', title: 'Close', onclick: () => this.close() };
    this.redo = h('button', { class: 'button', type: 'button', title: withKey('Redo', 'Ctrl ⇧Z'), onclick: () => this.again() }, 'Redo');
    this.line = h('div', { class: 'run-note', role: 'note' }, this.sign, this.text, h('button', look, icon('cross')));
    this.replaceChildren(this.line);
    this.hidden = true;
  }

  update(state) {
    const { cluster, command } = state;
    const key = [cluster.wanted, cluster.wanted_reason, command.pending, command.error, command.note, command.closed, state.past].join('|');
    if (key === this.drawn) return;
    this.drawn = key;
    if (command.note) document.querySelectorAll('[data-message=""]').forEach(dismiss); // of the deed before
    if (command.note && command.undone) this.text.after(this.redo);
    else this.redo.remove();
    const kind = command.error ? 'no' : command.note ? 'note' : 'stop';
    this.say(command.error || command.note || this.stopped(state), kind);
  }

  // Why a run stopped is said once: not again on every page that is opened later, and not in the past.
  stopped({ cluster, command, past }) {
    const running = cluster.wanted === 'running';
    if (running || command.pending === 'run') forget(this.base);
    if (running || past || !cluster.wanted_reason) return '';
    return wasTold(this.base, cluster.wanted_reason) ? '' : cluster.wanted_reason;
  }

  // `kind`: no, note, or stop, which on a phone stands in the page instead of over it.
  say(text, kind) {
    this.hidden = !text;
    const known = text === this.said;
    this.said = text;
    if (!text || known) return;
    setProps(this.line, { 'data-kind': kind });
    this.sign.replaceChildren(icon(kind === 'no' ? 'warn' : 'info'));
    if (text === LOG_IN) this.text.replaceChildren(loginLink());
    else setText(this.text, text);
    if (this.checkVisibility()) announce(text);
  }

  again() {
    document.getElementById('page').focus({ preventScroll: true }); // the note goes while it is done
    send(this.store, this.base, { command: 'redo' });
  }

  close() {
    close();
    this.store.dispatch({ type: 'command', command: { error: '', note: '', closed: (this.store.state.command.closed ?? 0) + 1 } });
    document.getElementById('page').focus({ preventScroll: true });
  }
}

customElements.define('run-note', RunNote);
