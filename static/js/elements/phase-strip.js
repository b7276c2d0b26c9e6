// The cycle as a ruler: each phase filled as it completes, with its time or its note.
import { h, icon } from '../dom.js';
import { milliseconds } from '../format.js';
import { showPhase } from './phase-keys.js';

const NAMES = [
  'PreEnqueue',
  'Pop',
  'PreFilter',
  'Filter',
  'PreScore',
  'Map',
  'Reduce',
  'Sum',
  'Select',
  'Reserve',
  'Bind',
];
const WHOSE = 'time of Podium, not of kube-scheduler';
const NOTE_LENGTH = 18;
const SIGNS = { done: 'tick', fail: 'cross', skip: 'skip' };

class PhaseStrip extends HTMLElement {
  start(store) {
    this.addEventListener('click', ({ target }) => {
      const name = target.closest('.phase')?.dataset.name;
      if (name) showPhase(store, name);
    });
  }

  update(state) {
    const cycle = state.shown ?? state.cycle;
    const ahead =
      !state.shown && state.progress && (!cycle || state.progress.cycle > cycle.number) ? state.progress : cycle;
    if (ahead?.phases === this.drawn) return;
    this.drawn = ahead?.phases;
    const phases = ahead ? complete(ahead.phases) : [];
    this.hidden = !phases.length;
    const now = phases.findIndex((phase) => phase.state === 'run');
    const last = phases.findLastIndex((phase) => phase.state === 'done' || phase.state === 'fail');
    const items = phases.map((phase, at) => item(phase, at === (now >= 0 ? now : last), now));
    this.replaceChildren(h('nav', { class: 'phase-strip', 'aria-label': 'Phases of this cycle' }, h('ol', {}, items)));
  }
}

// Phases that are still to come are shown as well, so that the strip keeps its shape; what was not timed has passed.
function complete(phases) {
  const known = new Map(phases.map((phase) => [phase.name, phase]));
  if (phases.length >= NAMES.length || known.has('PostFilter')) return phases;
  const last = NAMES.findLastIndex((name) => known.has(name));
  return NAMES.map((name, at) => known.get(name) ?? { name, state: at < last ? 'done' : 'idle', ms: null, note: '' });
}

function item(phase, current, running) {
  const sign = SIGNS[phase.state];
  const note = phase.note.length <= NOTE_LENGTH ? phase.note : ''; // a longer one is told by the title
  const figure = phase.state === 'run' || phase.ms === null ? note : milliseconds(phase.ms);
  return h(
    'li',
    {
      class: 'phase',
      'data-state': phase.state,
      'data-now': current && running < 0,
      'aria-current': current && running >= 0 ? 'step' : null,
      'data-name': phase.state === 'idle' ? null : phase.name,
      title: `${[phase.name, phase.note, timeOf(phase)].filter(Boolean).join(', ')}${phase.state === 'idle' ? '' : ': click to see the cycle as it stood then ([ and ])'}`,
    },
    h(
      'span',
      { class: 'phase-name' },
      sign && icon(sign),
      h('span', {}, phase.name),
      h('span', { class: 'vh' }, ` ${phase.state}`),
    ),
    h('span', { class: 'phase-time' }, figure || '\u00a0'),
  );
}

const timeOf = ({ ms }) => ms !== null && ms !== undefined && `${milliseconds(ms)} (${WHOSE})`;

customElements.define('phase-strip', PhaseStrip);
