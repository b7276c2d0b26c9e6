// The line above the score matrix: layer, order of rows, a node to find, heatmap or table.
import { h, icon, setProps, setText } from '../dom.js';
import { withKey } from '../keyboard.js';
import { count, plural } from '../format.js';
import { column } from '../scores.js';

export const LAYERS = [
  ['raw', 'Raw', 'map'],
  ['normalized', 'Normalised', 'reduce'],
  ['weighted', 'Weighted', ''],
  ['total', 'Total', ''],
];
const SORTS = [
  ['total', 'by total'],
  ['name', 'by name'],
  ['zone', 'by zone'],
];

// `ui(change)` tells the store; `large` on the cycle page. Gives {root, find, show(cycle, ui)}.
export function matrixTools(ui, large) {
  const layers = LAYERS.map(([layer, text, phase], at) =>
    h(
      'button',
      { type: 'button', 'data-layer': layer, title: withKey(text, at + 1), onclick: () => ui({ layer }) },
      text,
      phase && large ? h('span', { class: 'dim hide-m' }, ` ${phase}`) : '',
    ),
  );
  const views = [
    ['heatmap', 'heat', 'Heatmap'],
    ['table', 'table', 'Table'],
  ].map(([view, sign, text]) =>
    h(
      'button',
      { type: 'button', 'data-view': view, 'aria-label': text, title: withKey(text, 'T'), onclick: () => ui({ view }) },
      icon(sign),
    ),
  );
  const sort = h('select', {
    class: 'select select-quiet',
    'aria-label': 'Sort rows',
    onchange: () => ui({ sort: Number.isNaN(Number(sort.value)) ? sort.value : Number(sort.value) }),
  });
  const facts = h('span', { class: 'dim hide-s matrix-facts' });
  const find = h('input', {
    class: 'input',
    placeholder: 'Find a node',
    'aria-label': 'Find a node',
    type: 'search',
    oninput: () => ui({ find: find.value.trim() }),
  });
  const segmented = (text, parts) => h('div', { class: 'segmented', role: 'group', 'aria-label': text }, parts);
  const layer = segmented('Layer', layers);
  const root = h(
    'div',
    { class: 'score-matrix-tools' },
    layer,
    sort,
    facts,
    h('span', { class: 'push' }),
    h('div', { class: 'filter matrix-find' }, icon('search'), find),
    segmented('Heatmap or table', views),
  );
  const show = (cycle, chosen) => {
    setProps(layer, { hidden: Boolean(cycle.scoring_skipped) });
    setProps(sort, { hidden: Boolean(cycle.scoring_skipped) });
    for (const button of layers) setProps(button, { 'aria-pressed': String(button.dataset.layer === chosen.layer) });
    for (const button of views) setProps(button, { 'aria-pressed': String(button.dataset.view === chosen.view) });
    const choices = [
      ...SORTS,
      ...cycle.algorithms.flatMap((algorithm, at) =>
        column(cycle, at, 'raw').kind === 'skip' ? [] : [[at, `by ${algorithm.short}`]],
      ),
    ];
    const key = choices.map(([, text]) => text).join();
    if (key !== sort.drawn) sort.replaceChildren(...choices.map(([value, text]) => h('option', { value }, text)));
    sort.drawn = key;
    sort.value = String(chosen.sort);
    setText(facts, `${plural(cycle.node_count, 'node')} → ${count(cycle.feasible)} feasible`);
  };
  return { root, find, show };
}
