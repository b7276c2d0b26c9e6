// Back one event, step a phase, step a cycle, next timer, run or pause, speed. A button that cannot be used says why.
import { h, icon, setProps } from '../dom.js';
import { blocked, runs, send } from '../commands.js';
import { shortcut, withKey } from '../keyboard.js';
import { SPEED_TITLE, offerSpeeds } from '../speeds.js';

const NAMES = {
  'step-phase': ['phase', 'Step one phase', '⇧S'],
  step: ['step', 'Step one cycle', 'S'],
  advance: ['clock', 'Move the clock to the next timer', 'X'],
};

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
      { class: 'button button-icon', 'aria-label': 'Back one event', 'aria-keyshortcuts': 'B', title: withKey('Back one event', 'B') },
      icon('back'),
    );
    this.base = base;
    this.run = h('button', {
      class: 'button button-icon button-primary',
      type: 'button',
      onclick: () => this.give({ command: runs(this.state) ? 'pause' : 'run' }),
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
        'aria-label': 'Time: run until, undo, branch, scenario, settings',
        title: withKey('Run until, undo, branch, scenario, settings', 'G T'),
      },
      'Time',
    );
    this.replaceChildren(
      h('div', { class: 'transport', role: 'group', 'aria-label': 'Transport' }, this.back, this.buttons, this.run),
      this.speed,
      this.more,
    );
  }

  update(state) {
    const { cluster, command } = state;
    this.state = state;
    const first = cluster.seq <= 1;
    setProps(this.back, { href: first ? null : `${this.base}?at=${cluster.seq - 1}`, role: first ? 'link' : null, 'aria-disabled': first ? 'true' : null });
    const key = [cluster.wanted, cluster.speed, cluster.can_write, command.pending, command.next, state.past].join('|');
    if (key === this.drawn) return;
    this.drawn = key;
    this.running = cluster.wanted === 'running';
    for (const button of this.buttons) {
      const [, text, letter] = NAMES[button.dataset.command];
      this.label(button, state, button.dataset.command, text, letter);
    }
    this.run.replaceChildren(icon(this.running ? 'pause' : 'play'));
    this.label(this.run, state, this.running ? 'pause' : 'run', this.running ? 'Pause' : 'Run', 'Space');
    offerSpeeds(this.speed, cluster.speed, blocked(state, 'speed'));
  }

  label(button, state, command, text, letter) {
    const why = blocked(state, command);
    const { pending, next } = state.command;
    const busy = pending === command || next === command;
    setProps(button, {
      'aria-label': text,
      'aria-keyshortcuts': shortcut(letter),
      title: why ? `${text}: ${why}` : withKey(text, letter),
      'aria-disabled': why ? 'true' : null,
      'data-state': busy ? 'busy' : null,
    });
  }

  // Once a speed is chosen the next thing wanted is to run: Space does not open the list again.
  spaceRuns(event) {
    if (event.key !== ' ' || !this.chosen) return;
    event.preventDefault();
    this.give({ command: runs(this.state) ? 'pause' : 'run' });
  }
}

customElements.define('run-controls', RunControls);
