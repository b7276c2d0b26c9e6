// A rule in words and a table of its domains; what does not fit is counted. Heads that begin with `!` are of numbers.
import { h } from '../dom.js';
import { count } from '../format.js';

export function tableOf({ kind, title, notes, label, heads, rows, more }) {
  const numbers = heads.map((head) => head.startsWith('!'));
  const cell = (value, at) => h('td', { class: at ? (numbers[at] ? 'n' : 'nowrap') : 'name stick' }, value);
  return h(
    'div',
    { class: 'domain-rule' },
    h('h3', {}, h('span', { class: 'chip chip-line' }, kind), ' ', title),
    h('p', { class: 'dim' }, notes.filter(Boolean).join(' ')),
    rows.length
      ? h(
          'div',
          { class: 'data-table-wrap domain-scroll', tabindex: '0', role: 'region', 'aria-label': label },
          h(
            'table',
            { class: 'data-table' },
            h(
              'thead',
              {},
              h('tr', {}, heads.map((head, at) => h('th', { scope: 'col', class: numbers[at] ? 'n' : at ? null : 'stick' }, broken(head.replace('!', ''))))),
            ),
            h('tbody', {}, rows.map((row) => h('tr', {}, row.map(cell)))),
          ),
        )
      : '',
    more > 0 ? h('p', { class: 'domain-more' }, `and ${count(more)} more`) : '',
  );
}

// The key of a label may break behind its domain.
const broken = (head) => head.split(/(?<=\/)/).flatMap((part, at) => (at ? [h('wbr'), part] : [part]));
