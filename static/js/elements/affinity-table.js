// One table a pod affinity term: at which values of its label it meets pods, how many, and what follows.
import { h, icon } from '../dom.js';
import { count, plural, signed } from '../format.js';
import { tableOf } from './domain-table.js';

export function affinityTables({ affinity, term_count: all = 0 }) {
  const tables = affinity.map(table);
  if (all > affinity.length)
    tables.push(h('p', { class: 'domain-more' }, `and ${plural(all - affinity.length, 'term')} more`));
  return tables;
}

function table(term, at) {
  const scores = term.weight !== 0;
  const rows = term.values.map((one) => [
    one.value || '(empty)',
    one.pods === null ? 'by weight' : count(one.pods),
    count(one.nodes),
    scores ? signed(one.points) : verdict(term.effect === 'needs'),
  ]);
  return tableOf({
    kind: scores ? 'prefers' : 'must',
    title: says(term),
    notes: notes(term),
    label: `Term ${at + 1}: pods by ${term.key}`,
    heads: [term.key, '!pods', '!nodes', scores ? '!adds to the raw score' : 'verdict'],
    rows,
    more: term.value_count - rows.length,
  });
}

const verdict = (isMet) => (isMet ? h('span', { class: 'ok' }, icon('tick'), ' match') : h('span', { class: 'no' }, icon('cross'), ' conflict'));

function says({ effect, own, key, selects, weight }) {
  const label = h('span', { class: 'mono' }, key);
  const name = h('span', { class: 'mono' }, selects);
  if (!own)
    return [{ refuses: 'Placed pods keep ', repels: 'Placed pods would rather not have ', attracts: 'Placed pods attract ' }[effect], name, effect === 'refuses' ? ' away from their ' : ' in their ', label];
  const verb = { needs: 'Needs ', refuses: 'Keeps away from ', attracts: 'Prefers ', repels: 'Prefers to avoid ' }[effect];
  return [verb, name, ' in the same ', label, weight ? `, weight ${Math.abs(weight)}` : ''];
}

function notes(term) {
  const where = `${plural(term.value_count, 'value')} of ${count(term.domain_count)} ${term.value_count === 1 ? 'has' : 'have'} such pods`;
  return [
    term.first ? 'No pod matches yet, and this one matches its own terms: it may be the first, on any node with the label.' : `${where}.`,
    `Namespace: ${term.namespaces}.`,
    term.unlabelled ? `${plural(term.unlabelled, 'node')} ${term.unlabelled === 1 ? 'lacks' : 'lack'} the label.` : '',
  ];
}
