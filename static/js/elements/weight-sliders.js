// What if the weights were different: the same normalised scores, summed anew at once. Nothing is written.
import { h, worded } from '../dom.js';
import { normalizedOf } from '../scores.js';
import { answered } from './weight-answer.js';

const [MOST, USUAL] = [100, 10];
let made = 0;

class WeightSliders extends HTMLElement {
  number = made++;

  start(store, { base }) {
    this.store = store;
    this.base = base;
  }

  update({ cycle, weights }) {
    if (cycle !== this.drawn) this.build(cycle);
    if (!this.live?.length) return;
    const now = weights ?? cycle.algorithms.map((algorithm) => algorithm.weight);
    this.range = rangeOf(this.range, now);
    for (const [at, input, figure] of this.live) {
      input.max = this.range;
      input.value = now[at];
      if (figure.value !== String(now[at]) && (figure !== document.activeElement || figure.value)) figure.value = now[at];
      input.setAttribute('aria-valuetext', `weight ${now[at]}, profile has ${cycle.algorithms[at].weight}`);
    }
    const changed = now.some((weight, at) => weight !== cycle.algorithms[at].weight);
    this.acts.hidden = !changed;
    this.answer.replaceChildren(...answered(cycle, now, changed));
  }

  build(cycle) {
    this.drawn = cycle;
    this.range = USUAL;
    const settled = cycle.algorithms.map((_, at) => at).filter((at) => normalizedOf(cycle, at));
    this.hidden = settled.length < 1 || Boolean(cycle.score_failures) || cycle.outcome === 'open' || cycle.rows.names.length < 2;
    if (this.hidden) {
      this.live = [];
      return;
    }
    this.live = settled.map((at) => {
      const input = h('input', {
        class: 'slider',
        type: 'range',
        min: 0,
        max: USUAL,
        step: 1,
        id: `w-${this.number}-${at}`,
        oninput: () => this.change(at, Number(input.value)),
        onchange: () => Number(input.value) === this.range && this.grow(),
      });
      return [at, input, this.figure(at, cycle.algorithms[at].name)];
    });
    this.answer = h('p', { class: 'weight-answer', 'aria-live': 'polite' });
    this.acts = h(
      'div',
      { class: 'row row-wrap' },
      h(
        'button',
        { class: 'button', type: 'button', onclick: () => this.store.dispatch({ type: 'weights', weights: null }) },
        'Weights of the profile',
      ),
      h('a', { class: 'button button-quiet', href: `${this.base}profiles/` }, 'Change the profile'),
    );
    this.replaceChildren(
      h(
        'article',
        { class: 'explain-card' },
        h('h3', {}, 'What if the weights were different'),
        h(
          'div',
          { class: 'weights' },
          this.live.flatMap(([at, input, figure]) => [
            h('label', { for: `w-${this.number}-${at}` }, worded(cycle.algorithms[at].name)),
            input,
            figure,
          ]),
        ),
        this.answer,
        this.acts,
      ),
    );
  }

  // A slider that was let go at its end leads further: not before, or the thumb would run away under the mouse.
  grow() {
    this.range = Math.min(MOST, this.range * 2);
    for (const [, input] of this.live) input.max = this.range;
  }

  figure(at, name) {
    const typed = (field) => Math.min(MOST, Math.max(0, Math.round(Number(field.value))));
    const label = `Weight of ${name}`;
    return h('input', {
      class: 'input rep num',
      type: 'number',
      min: 0,
      max: MOST,
      step: 1,
      'aria-label': label,
      oninput: (event) => event.target.value && this.change(at, typed(event.target)),
      onblur: (event) => (event.target.value = (this.store.state.weights ?? this.drawn.algorithms.map((one) => one.weight))[at]),
    });
  }

  change(at, weight) {
    const { cycle, weights } = this.store.state;
    const next = [...(weights ?? cycle.algorithms.map((algorithm) => algorithm.weight))];
    next[at] = weight;
    this.store.dispatch({ type: 'weights', weights: next });
  }
}

// How far the sliders go: fine enough for a mouse, and as far as the highest weight.
export function rangeOf(range, weights) {
  let reach = range;
  while (reach < MOST && Math.max(...weights) > reach) reach = Math.min(MOST, reach * 2);
  return reach;
}

customElements.define('weight-sliders', WeightSliders);
