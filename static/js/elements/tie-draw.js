// The draw among nodes that share the best total: who was in it, which lot won, with which seed; and other seeds, tried.
import { h, icon } from '../dom.js';
import { count, plural } from '../format.js';

class TieDraw extends HTMLElement {
  start(store, { base, explain }) {
    this.base = base;
    this.open = (node) => explain?.(store.state.shown ?? store.state.cycle, node);
  }

  // On the board, below the matrix; nothing where nothing was drawn.
  update({ shown, cycle: newest }) {
    const cycle = shown ?? newest;
    if (cycle === this.drawn) return;
    this.drawn = cycle;
    this.hidden = !cycle?.tie;
    if (cycle?.tie) this.replaceChildren(tieDraw(cycle, this.base, this.open));
  }
}

customElements.define('tie-draw', TieDraw);

const SHOWN = 6; // lots; of more, the first and the one that won

// `open(node)`: what a node's total is made of.
export function tieDraw(cycle, base, open) {
  const { nodes, count: all = nodes.length, drawn, seed } = cycle.tie;
  const nameOf = (at) => nodes[at] ?? (at === drawn ? cycle.winner : ''); // of many only the first are listed
  const shown = all > SHOWN ? [...new Set([0, 1, 2, 3, drawn])].filter(nameOf).sort((a, b) => a - b) : nodes.map((_, at) => at);
  const again = h('div', { class: 'tie-again', role: 'status' });
  const rest = all - shown.length;
  return h(
    'div',
    { class: 'podium-tie' },
    h(
      'div',
      { class: 'tie-draw' },
      h('div', { class: 'tie-draw-lots' }, shown.map((at) => lot(nameOf(at), at, at === drawn, open)), rest > 0 ? h('span', { class: 'dim' }, `and ${count(rest)} more`) : ''),
      h(
        'p',
        {},
        `${plural(all, 'node shares', 'nodes share')} the best total. The draw took lot `,
        h('b', { class: 'mono' }, drawn),
        '. Seed ',
        h('span', { class: 'mono' }, seed),
        ': the same log always draws the same; a real scheduler is not repeatable here.',
        again,
      ),
    ),
    h('button', { class: 'button', type: 'button', title: 'What other seeds would have drawn; nothing is written', onclick: () => tryAgain(cycle, base, again) }, icon('dice'), 'Draw again'),
  );
}

const lot = (node, at, won, open) =>
  h(
    'button',
    { class: 'tie-lot', type: 'button', 'data-state': won ? 'win' : null, title: `What the total of ${node} is made of`, onclick: () => open(node) },
    node,
    h('small', {}, `lot ${at}${won ? ', drawn' : ''}`),
  );

// One more seed a click, ten at most.
async function tryAgain(cycle, base, place) {
  place.draws ??= await ask(cycle, base);
  place.shown = Math.min((place.shown ?? 0) + 1, place.draws.length);
  const told = place.draws.slice(0, place.shown);
  if (!told.length) return place.replaceChildren('The draw could not be made again.');
  const same = told.filter(({ node }) => node === cycle.winner).length;
  const last = told.at(-1);
  const line = ['With seed ', h('span', { class: 'mono' }, last.seed), ': lot ', h('b', { class: 'mono' }, last.lot), ', ', h('code', {}, last.node), '. '];
  const sum = told.length > 1 ? `Of ${plural(told.length, 'other seed')} ${same} took ${cycle.winner} as well.` : 'Only tried: nothing is written.';
  return place.replaceChildren(...line, sum, told.length === place.draws.length ? ' No more are tried.' : '');
}

async function ask(cycle, base) {
  const answer = await fetch(`${base}cycles/${cycle.number}/draws.json`).catch(() => null);
  return answer?.ok ? (await answer.json()).draws : [];
}
