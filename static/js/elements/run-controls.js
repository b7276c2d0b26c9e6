// Back one event, step a phase, step a cycle, next timer, run or pause, speed. A button that cannot be used says why.
import { h, icon, setProps, setText } from '../dom.js';
import { LOG_IN, blocked, send } from '../commands.js';
import { forget, wasTold } from '../run-told.js';
import { SPEED_TITLE, offerSpeeds } from '../speeds.js';

const NAMES = {
  'step-phase': ['phase', 'Step one phase', '⇧S'],
  step: ['step', 'Step one cycle', 'S'],
  advance: ['clock', 'Move the clock to the next timer', 'X'],
};

const loginLink = () =>
  h('a', { href: `/login/?next=${encodeURIComponent(location.pathname + location.search)}` }, LOG_IN);

class RunControls extends HTMLElement {
  start(store, { base }) {
    this.give = (body) => send(store, base, body);
    this.buttons = Object.entries(NAMES).map(([command, [sign]]) =>
      h(
        'button',
        {
          class: 'button button-icon',
          type: 'button',
          'data-command': command,
          onclick: () => this.give({ command }),
        },
        icon(sign),
      ),
    );
    this.back = h(
      'a',
      { class: 'button button-icon', 'aria-label': 'Back one event (B)', title: 'Back one event  B' },
      icon('back'),
    );
    this.base = base;
    document.addEventListener('submit', () => forget(base)); // a run asked for by a form may end alike
    this.run = h('button', {
      class: 'button button-icon button-primary',
      type: 'button',
      onclick: () => this.give({ command: this.running ? 'pause' : 'run' }),
    });
    this.speed = h('select', {
      class: 'select select-quiet run-speed',
      'aria-label': 'Speed',
      title: SPEED_TITLE,
      onchange: () => {
        this.chosen = true;
        this.give({ command: 'speed', speed: Number(this.speed.value) });
      },
      onblur: () => {
        this.chosen = false;
      },
      onkeydown: (event) => this.spaceRuns(event),
    });
    this.more = h(
      'a',
      {
        class: 'button button-quiet hide-m',
        href: `${base}time/`,
        'aria-label': 'Time: run until, undo, branch, scenario, settings (G T)',
        title: 'Run until, undo, branch, scenario, settings  G T',
      },
      'Time',
    );
    this.error = h('p', { class: 'run-error', role: 'alert', hidden: true });
    this.replaceChildren(
      h('div', { class: 'transport', role: 'group', 'aria-label': 'Transport' }, this.back, this.buttons, this.run),
      this.speed,
      this.more,
      this.error,
    );
  }

  update(state) {
    const { cluster, command } = state;
    setProps(this.back, { href: cluster.seq > 1 ? `${this.base}?at=${cluster.seq - 1}` : null });
    const key = [
      cluster.wanted,
      cluster.speed,
      cluster.can_write,
      cluster.wanted_reason,
      command.pending,
      command.error,
      command.note,
      state.past,
    ].join('|');
    if (key === this.drawn) return;
    this.drawn = key;
    this.running = cluster.wanted === 'running';
    for (const button of this.buttons) {
      const [, text, letter] = NAMES[button.dataset.command];
      this.label(button, state, button.dataset.command, text, letter);
    }
    this.run.replaceChildren(icon(this.running ? 'pause' : 'play'));
    this.label(this.run, state, this.running ? 'pause' : 'run', this.running ? 'Pause' : 'Run', 'Space');
    offerSpeeds(this.speed, cluster.speed, command.pending === 'speed' ? '' : blocked(state, 'speed'));
    this.say(command.error || command.note || this.stopped(state), Boolean(command.error));
  }

  // Why a run stopped is said once: not again on every page that is opened later, and not in the past.
  stopped({ cluster, command, past }) {
    if (this.running || command.pending === 'run') forget(this.base);
    if (this.running || past || !cluster.wanted_reason) return '';
    return wasTold(this.base, cluster.wanted_reason) ? '' : cluster.wanted_reason;
  }

  label(button, state, command, text, letter) {
    const why = blocked(state, command);
    const busy = state.command.pending === command;
    setProps(button, {
      'aria-label': letter ? `${text} (${letter})` : text,
      title: why ? `${text}: ${why}` : `${text}  ${letter}`,
      'aria-disabled': why ? 'true' : null,
      'data-state': busy ? 'busy' : null,
    });
  }

  // Once a speed is chosen the next thing wanted is to run: Space does not open the list again.
  spaceRuns(event) {
    if (event.key !== ' ' || !this.chosen) return;
    event.preventDefault();
    this.give({ command: this.running ? 'pause' : 'run' });
  }

  say(text, wrong) {
    this.error.hidden = !text;
    setProps(this.error, { 'data-kind': wrong ? 'no' : 'note' });
    if (text === LOG_IN) this.error.replaceChildren(loginLink());
    else setText(this.error, text);
  }
}

customElements.define('run-controls', RunControls);
