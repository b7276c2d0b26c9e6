// What every filter said of one node: those that refuse it stand open with their steps, the others fold away.
import { h } from '../dom.js';
import { plural } from '../format.js';
import { chevron, ledger, sign } from './step-ledger.js';

const SKIP = 'Skip';

export function filterSteps(filters) {
  const asked = filters.filter((one) => one.code !== SKIP);
  const refusing = asked.filter((one) => one.reasons.length);
  const passed = asked.filter((one) => !one.reasons.length);
  const skipped = filters.filter((one) => one.code === SKIP).map((one) => one.plugin);
  return h(
    'div',
    { class: 'filter-steps' },
    refusing.map((one) => filter(one, true)),
    passed.length ? many(refusing.length ? 'passes' : 'passed', passed) : '',
    skipped.length ? h('p', { class: 'dim' }, `Not asked for this pod: ${skipped.join(', ')}.`) : '',
  );
}

const many = (word, passed) =>
  h(
    'details',
    { class: 'fold' },
    h('summary', {}, chevron(), sign(true), `${word} ${plural(passed.length, 'filter')}`),
    passed.map((one) => filter(one, false)),
  );

// `open`: whether its steps stand there at once.
function filter({ plugin, reasons, steps, nominated }, open) {
  const counted = nominated.length ? `counting ${nominated.join(', ')}, nominated here` : '';
  const head = [sign(!reasons.length), h('b', {}, plugin), h('span', { class: 'soft' }, reasons.join('; ')), counted];
  if (!steps.length) return h('div', { class: 'filter-step' }, h('div', { class: 'filter-step-head' }, head));
  return h(
    'details',
    { class: 'filter-step', open },
    h('summary', { class: 'filter-step-head' }, chevron(), head),
    ledger(`Steps of ${plugin}`, steps),
  );
}
