// One tried change: its verdict, what it is, what it costs, and the objects before and after.
import { h, icon } from '../dom.js';
import { podLinks } from '../fixes.js';
import { rich } from '../rich.js';

const VERDICTS = {
  fits: ['chip-ok', 'tick', 'fits'],
  'no help': ['chip-no', 'cross', 'no help'],
  unfinished: ['chip-warn', 'wait', 'not decided'],
};
const ACTIONS = { change: '', add: 'new', delete: 'deleted', restart: 'deleted and made anew' };

// `branch(fix, button)`: opens the change as a branch; false where that may not be done.
export function fixRow(fix, { open, branch }) {
  const [look, sign, word] = VERDICTS[fix.outcome];
  const button = fix.outcome === 'fits' && branch
    ? h('button', { class: 'button', type: 'button', onclick: ({ currentTarget }) => branch(fix, currentTarget) }, icon('branch'), 'Open branch')
    : null;
  const links = podLinks(fix, document.documentElement.dataset.base);
  return h(
    'li',
    { class: 'fix', 'data-outcome': fix.outcome, 'data-fix': fix.id },
    h('span', { class: `chip ${look}` }, icon(sign), h('span', {}, word)),
    h('p', { class: 'fix-title' }, rich(fix.title, links)),
    h('p', { class: 'cost' }, rich(fix.told, links), fix.note ? h('span', { class: 'fix-note' }, rich(fix.note)) : null),
    details(fix, open),
    button && h('div', { class: 'fix-do' }, button),
  );
}

function details(fix, open) {
  const parts = fix.changes.map(changed);
  if (fix.message) parts.push(h('p', { class: 'fix-message' }, 'The scheduler says: ', h('span', { class: 'mono' }, rich(fix.message))));
  if (!parts.length) return null;
  return h('details', { class: 'fix-more', open }, h('summary', {}, icon('right', 'icon-s fold-sign'), fix.outcome === 'fits' ? 'The change' : 'Details'), ...parts);
}

function changed({ action, kind, namespace, name, diff }) {
  const title = h('p', { class: 'fix-object' }, `${kind} `, h('span', { class: 'mono' }, namespace ? `${namespace}/${name}` : name), ACTIONS[action] && h('span', { class: 'dim' }, ` ${ACTIONS[action]}`));
  if (!diff.length) return h('div', {}, title);
  const lines = diff.map((line) => h('span', { class: `hang ${LOOKS[line[0]] ?? ''}`, 'data-deep': depth(line) }, line === '@' ? ' ⋯\n' : `${line}\n`));
  return h('div', {}, title, h('pre', { class: 'fix-diff', role: 'group', 'aria-label': `${kind} ${name}, before and after` }, lines));
}

// Steps of two spaces behind the sign: what wraps stays right of its key.
const depth = (line) => Math.min(8, Math.trunc(/^.?( *)/.exec(line)[1].length / 2));

const LOOKS = { '+': 'fix-new', '-': 'fix-old', '@': 'dim' };
