// Steps of an explanation as a ledger: what is looked at, the sum or question with its figures, what comes of it.
import { h, icon } from '../dom.js';

// `steps`: StepLines of dashboard/explain_payloads.py.
export const ledger = (label, steps) =>
  h('div', { class: 'formula', tabindex: '0', role: 'group', 'aria-label': label }, steps.map(line));

function line(step) {
  const { name, note, holds } = step;
  const [text, answer] = name === 'verdict' ? verdict(step) : [step.text, step.answer];
  return h(
    'div',
    { class: name === 'verdict' ? 'formula-step sum' : 'formula-step' },
    h('span', {}, broken(name)),
    h('span', {}, text, note ? h('small', {}, note) : ''),
    h('span', { class: holds === null ? null : holds ? 'ok' : 'no' }, answer),
  );
}

// A verdict's answer are its reasons.
const verdict = ({ answer, holds }) => (holds ? ['nothing speaks against the node', 'passes'] : [answer, 'refuses']);

// Long names of labels and taints break after their signs.
const broken = (name) => name.split(/(?<=[=:/])/).flatMap((part, at) => (at ? [h('wbr'), part] : [part]));

// Turns when what it belongs to stands open.
export const chevron = () => icon('right', 'turn');

export const sign = (holds) => icon(holds ? 'tick' : 'cross', holds ? 'ok' : 'no');
