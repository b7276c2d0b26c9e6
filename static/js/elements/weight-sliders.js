// What if the weights were different: the same normalised scores, summed anew at once. Nothing is written.
import { h, setText, worded } from '../dom.js';
import { plural } from '../format.js';
import { normalizedOf, rescored } from '../scores.js';

const MOST = 100;

class WeightSliders extends HTMLElement {
  start(store, { base }) {
    this.store = store;
    this.base = base;
  }

  update({ cycle, weights }) {
    if (cycle !== this.drawn) this.build(cycle);
    if (!this.live?.length) return;
    const now = weights ?? cycle.algorithms.map((algorithm) => algorithm.weight);
    for (const [at, input, output] of this.live) {
      input.value = now[at];
      setText(output, String(now[at]));
      input.setAttribute('aria-valuetext', `weight ${now[at]}, profile has ${cycle.algorithms[at].weight}`);
    }
    const changed = now.some((weight, at) => weight !== cycle.algorithms[at].weight);
    this.acts.hidden = !changed;
    this.answer.replaceChildren(...verdict(cycle, now, changed));
  }

  build(cycle) {
    this.drawn = cycle;
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
        max: MOST,
        step: 1,
        id: `w-${at}`,
        oninput: () => this.change(at, Number(input.value)),
      });
      return [at, input, h('output', { class: 'mono', for: `w-${at}` })];
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
          this.live.flatMap(([at, input, output]) => [
            h('label', { for: `w-${at}` }, worded(cycle.algorithms[at].name)),
            input,
            output,
          ]),
        ),
        this.answer,
        this.acts,
      ),
    );
  }

  change(at, weight) {
    const { cycle, weights } = this.store.state;
    const next = [...(weights ?? cycle.algorithms.map((algorithm) => algorithm.weight))];
    next[at] = weight;
    this.store.dispatch({ type: 'weights', weights: next });
  }
}

function verdict(cycle, weights, changed) {
  const { leaders, top } = rescored(cycle, weights);
  const names = leaders.map((row) => cycle.rows.names[row]);
  const node = (name) => h('code', {}, name);
  if (!changed) return ['Move a weight: the stored scores of this cycle are summed anew at once.'];
  const binned = cycle.rows.bins.some((size) => size > 1) ? ' (among the 50 best nodes)' : '';
  if (names.length > 1 && names.includes(cycle.winner))
    return [
      node(cycle.winner),
      ` would share the lead with ${names.length - 1} more at ${top}${binned}; the draw would decide.`,
    ];
  if (names.length > 1)
    return [
      `${plural(names.length, 'node')} would share the lead at ${top}${binned}: `,
      ...names.slice(0, 4).flatMap((name, at) => [at ? ', ' : '', node(name)]),
      '.',
    ];
  const winner = cycle.rows.names.indexOf(cycle.winner);
  if (names[0] === cycle.winner) return ['It would still go to ', node(names[0]), ` with ${top}${binned}.`];
  const { totals } = rescored(cycle, weights);
  return [
    'It would go to ',
    node(names[0]),
    ` instead, with ${top}; `,
    node(cycle.winner),
    ` would have ${totals[winner]}${binned}.`,
  ];
}

customElements.define('weight-sliders', WeightSliders);
