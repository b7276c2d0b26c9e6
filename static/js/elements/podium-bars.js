// The best three nodes as stacked weighted parts on one scale, and the draw among ties.
import { h, s, icon } from '../dom.js';
import { signed } from '../format.js';
import { column } from '../scores.js';
import { nextOf } from './matrix-note.js';

class PodiumBars extends HTMLElement {
  start(store, { base }) {
    this.base = base;
    this.classList.add('podium');
  }

  update({ cycle }) {
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
      cycle.tie ? tie(cycle) : '',
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
        h('span', { class: 'total' }, place.total),
      ),
      bar(cycle, place, parts, scale),
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

function bar(cycle, place, parts, scale) {
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
        },
        s('title', {}, `${cycle.algorithms[at].name} ${value}`),
      ),
      label,
    ];
  });
  const told = parts.map(({ at }) => `${cycle.algorithms[at].name} ${place.parts[at] ?? 0}`).join(', ');
  return s('svg', { class: 'podium-bar', role: 'img', 'aria-label': `${place.node}: ${told}` }, marks);
}

function tie(cycle) {
  const { nodes, drawn, seed } = cycle.tie;
  const shown = nodes.length > 6 ? [...new Set([0, 1, 2, 3, drawn])].sort((a, b) => a - b) : nodes.map((_, at) => at);
  const lots = shown.map((at) =>
    h('div', { class: 'tie-lot', 'data-state': at === drawn ? 'win' : null }, nodes[at], h('small', {}, `lot ${at}`)),
  );
  const rest = nodes.length - shown.length;
  return h(
    'div',
    { class: 'podium-tie' },
    h(
      'div',
      { class: 'tie-draw' },
      h('div', { class: 'tie-draw-lots' }, lots, rest > 0 ? h('span', { class: 'dim' }, `and ${rest} more`) : ''),
      h(
        'p',
        {},
        icon('dice', 'inline'),
        ` ${nodes.length} nodes share the best total. The draw took lot `,
        h('b', { class: 'mono' }, drawn),
        '. Seed ',
        h('span', { class: 'mono' }, seed),
        ': the same log always draws the same; a real scheduler is not repeatable here.',
      ),
    ),
  );
}

customElements.define('podium-bars', PodiumBars);
