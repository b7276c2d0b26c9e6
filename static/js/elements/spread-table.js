// One table a spread constraint: its domains, the pods in each, and what one more would make of it.
import { h, icon } from '../dom.js';
import { count, plural, rounded } from '../format.js';
import { tableOf } from './domain-table.js';

const DIGITS = 2;

export const spreadTables = (rules) => rules.map(table);

function table(rule, at) {
  const heads = ['!pods', '!nodes', ...(rule.hard ? ['!skew with the pod', 'verdict'] : ['!adds to the raw score'])];
  const rows = rule.domains.map((domain) => [
    domain.value || '(empty)',
    count(domain.pods),
    domain.counted === domain.nodes ? count(domain.nodes) : `${count(domain.counted)} of ${count(domain.nodes)}`,
    ...(rule.hard ? [`${domain.skew} of ${rule.max_skew}`, verdict(domain)] : [points(domain, rule)]),
  ]);
  return tableOf({
    kind: rule.hard ? 'must' : 'prefers',
    title: [`${rule.selects} spread over `, h('span', { class: 'mono' }, rule.key)],
    notes: notes(rule),
    label: `Constraint ${at + 1}: domains of ${rule.key}`,
    heads: [rule.key, ...heads],
    rows,
    more: rule.domain_count - rows.length,
  });
}

const verdict = ({ fits }) =>
  fits ? h('span', { class: 'ok' }, icon('tick'), ' within') : h('span', { class: 'no' }, icon('cross'), ' too skewed');

function points({ points: value, feasible }, rule) {
  if (value !== null) return rounded(value, DIGITS);
  return rule.weight !== null && !feasible ? 'no node passed here' : 'not scored';
}

function notes(rule) {
  const counting = [
    rule.honors_affinity ? 'that its node affinity allows' : '',
    rule.honors_taints ? 'whose taints it tolerates' : '',
  ].filter(Boolean);
  const hostname = !rule.hard && rule.key === 'kubernetes.io/hostname';
  return [
    rule.own ? '' : 'A default of the profile: the pod has no constraints of its own.',
    rule.hard
      ? `At most ${rule.max_skew} above the minimum, which is ${rule.least}: ${minimum(rule)}.`
      : `Fewer pods are better${rule.weight === null ? '' : `: pods × ${rounded(rule.weight, 3)}${rule.max_skew > 1 ? ` + ${rule.max_skew - 1}` : ''}`}.`,
    rule.hard ? (rule.itself ? 'The pod itself counts.' : 'The pod does not match its own selector.') : '',
    hostname || !counting.length ? 'Every node counts.' : `Nodes ${counting.join(' and ')} count.`,
    rule.domains.some(({ points: value }) => value !== null && rounded(value, DIGITS).startsWith('≈')) ? 'What is marked ≈ is rounded for this table; the score adds up the exact figures and rounds their sum.' : '',
    rule.unlabelled ? `${plural(rule.unlabelled, 'node')} ${rule.unlabelled === 1 ? 'lacks' : 'lack'} the label.` : '',
    rule.refused_count ? `${plural(rule.refused_count, 'domain')} of ${count(rule.domain_count)} would be too skewed.` : '',
  ];
}

const minimum = (rule) =>
  rule.size < rule.min_domains
    ? `only ${rule.size} of at least ${plural(rule.min_domains, 'domain')} exist`
    : `the fewest of ${plural(rule.size, 'domain')}`;
