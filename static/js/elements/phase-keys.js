// Turning a cycle back and forth by its phases. Only what is shown: to have an open cycle do its next phase is a step.
import { bind } from '../keys.js';
import { asOf, reached, turned } from '../phase-view.js';

// As it stood after the phase of that name; the cycle itself at its last one.
export function showPhase(store, name) {
  const { shown, cycle } = store.state;
  const whole = shown?.whole ?? shown ?? cycle;
  const at = whole.phases.findIndex((phase) => phase.name === name);
  if (at < 0) return;
  const end = at >= reached(whole);
  store.dispatch({ type: 'shown', cycle: end ? (whole === cycle ? null : whole) : asOf(whole, at) });
}

export function bindPhaseKeys(store) {
  const turn = (by) => {
    const { shown, cycle } = store.state;
    if (!cycle) return;
    const view = turned(shown ?? cycle, by);
    store.dispatch({ type: 'shown', cycle: view === cycle ? null : view });
  };
  bind('[', 'back one phase of the cycle', () => turn(-1));
  bind(']', 'forth one phase of the cycle', () => turn(1));
}
