// What a total is made of: a line an algorithm, each opening its own arithmetic.
import { h, worded } from '../dom.js';
import { plural } from '../format.js';

// `opened`: what static/js/total.js says; `open(name)`: explain that algorithm's score on the node.
export function totalCard(opened, open) {
  const { node, total, final, parts } = opened;
  const scored = parts.filter((one) => one.normalized !== null);
  const absent = parts.filter((one) => one.normalized === null);
  return [
    h('div', { class: 'explain-card-head' }, h('h3', {}, final ? 'Total' : 'Sum so far'), h('span', { class: 'mono dim' }, node)),
    h('p', { class: 'total-figure mono' }, total === null ? '–' : String(total)),
    h('p', { class: 'soft' }, place(opened)),
    h(
      'div',
      { class: 'formula total-parts', role: 'group', 'aria-label': 'Weighted parts' },
      scored.map((one) => line(one, open)),
      h('div', { class: 'formula-step sum' }, h('span', {}, 'sum'), h('span', {}, plural(scored.length, 'part')), h('span', {}, total ?? '–')),
    ),
    absent.length
      ? h('ul', { class: 'total-absent label' }, absent.map((one) => h('li', {}, h('b', {}, one.name), ` ${one.why}; adds nothing.`)))
      : '',
  ];
}

const line = ({ name, weight, normalized, weighted, why }, open) =>
  h(
    'div',
    { class: 'formula-step' },
    h('span', {}, worded(name)),
    h('span', {}, `${normalized} × ${weight}`, why ? h('small', {}, why) : ''),
    h('span', {}, h('button', { class: 'cell-open', type: 'button', title: `Explain ${name}`, onclick: () => open(name) }, String(weighted))),
  );

function place({ rank, behind, final, tied }) {
  if (behind === null) return 'There is no sum yet.';
  const where = behind ? `${behind} behind the best` : tied ? 'shares the best total; the draw decided' : 'the best total';
  return `${rank && final ? `Rank ${rank}, ` : ''}${where}${final ? '' : ' so far'}. A figure on the right opens its arithmetic.`;
}
