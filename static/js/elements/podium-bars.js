// The best three nodes as stacked weighted parts on one scale, and the draw among ties.
import { h, s } from '../dom.js';
import { signed } from '../format.js';
import { column } from '../scores.js';
import { nextOf } from './matrix-note.js';
import { tieDraw } from './tie-draw.js';

class PodiumBars extends HTMLElement {
  start(store, { base, explain }) {
    this.base = base;
    this.open = (node, algorithm) => explain?.(store.state.cycle, node, algorithm);
    this.classList.add('podium');
  }

  update({ shown, cycle: whole }) {
    const cycle = shown ?? whole;
    if (cycle === this.drawn) return;
    this.drawn = cycle;
    if (!cycle.podium.length) return this.replaceChildren(h('p', { class: 'soft' }, nextOf(cycle)));
    const parts = partsOf(cycle);
    const scale = Math.max(...cycle.podium.map((place) => place.total), 1);
    this.replaceChildren(
      h(
        'div',
        { class: 'podium-bars' },
        cycle.podium.map((place) => this.step(cycle, place, parts, scale)),
        h(
          'div',
          { class: 'podium-key' },
          parts.map(({ at, shade }) =>
            h(
              'span',
              { title: cycle.algorithms[at].name },
              h('i', { class: `pt${shade}` }),
              `${cycle.algorithms[at].name.replace(/^NodeResources(?=B)/, '')} ×${cycle.algorithms[at].weight}`,
            ),
          ),
        ),
      ),
      cycle.tie ? tieDraw(cycle, this.base, this.open) : '',
    );
  }

  step(cycle, place, parts, scale) {
    const win = place.node === cycle.winner;
    const differences = place.differences.map(({ algorithm, by }) => `${algorithm} ${signed(by)}`).join(' · ');
    const note = win ? (cycle.tie ? 'chosen by the draw' : 'chosen') : differences || 'equal in every part';
    return h(
      'div',
      { class: 'podium-step', 'data-state': win ? 'win' : null },
      h('div', { class: 'podium-place' }, place.place),
      h(
        'div',
        { class: 'podium-line' },
        h('b', {}, h('a', { href: `${this.base}nodes/${place.node}/` }, place.node)),
        h('span', { class: 'dim hide-s' }, place.zone),
        h('span', { class: 'dim clip note', title: note }, note),
        h('button', { class: 'total cell-open', type: 'button', title: `What the total of ${place.node} is made of`, onclick: () => this.open(place.node) }, place.total),
      ),
      bar(cycle, place, parts, scale, this.open),
    );
  }
}

// Algorithms that scored, each with a shade of its own.
function partsOf(cycle) {
  return cycle.algorithms
    .map((_, at) => at)
    .filter((at) => column(cycle, at, 'raw').kind !== 'skip')
    .map((at, order) => ({ at, shade: (order % 7) + 1 }));
}

// Parts open by mouse; by keys the total opens, and its parts there.
function bar(cycle, place, parts, scale, open) {
  let x = 0;
  const marks = parts.flatMap(({ at, shade }) => {
    const value = place.parts[at] ?? 0;
    const width = (value * 100) / scale;
    const start = x;
    x += width;
    if (!value) return [];
    const label = width > 4 ? s('text', { x: `${(start + width / 2).toFixed(2)}%`, y: 16 }, value) : null;
    return [
      s(
        'rect',
        {
          class: `pt${shade}`,
          x: `${start.toFixed(2)}%`,
          width: `${Math.max(0.2, width - 0.25).toFixed(2)}%`,
          height: 24,
          onclick: () => open(place.node, cycle.algorithms[at].name),
        },
        s('title', {}, `${cycle.algorithms[at].name} ${value}: open its arithmetic`),
      ),
      label,
    ];
  });
  const told = parts.map(({ at }) => `${cycle.algorithms[at].name} ${place.parts[at] ?? 0}`).join(', ');
  return s('svg', { class: 'podium-bar', role: 'img', 'aria-label': `${place.node}: ${told}` }, marks);
}

customElements.define('podium-bars', PodiumBars);
