// A finished cycle that cannot be computed again: its end is known, who refused which node is not.
import { h } from '../dom.js';

export const gone = (why) =>
  h(
    'div',
    { class: 'empty' },
    h('h3', {}, 'This cannot be shown any more'),
    h('p', {}, 'The log keeps how a cycle ended; what each algorithm said is computed again for this page. ', why),
  );
