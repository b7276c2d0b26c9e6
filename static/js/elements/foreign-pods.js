// Pods of other schedulers: pending too, but of no queue here. What makes the board's count differ from that of the pods.
import { h, icon } from '../dom.js';
import { count, plural } from '../format.js';
import { then } from '../past.js';

// `node` is given its parts anew where they changed; whether it is open stays as it is.
export function tellForeign(node, base, { pods_foreign: pods, foreign, profiles }) {
  node.hidden = !pods;
  const key = JSON.stringify([pods, foreign, profiles]);
  if (!pods || node.told === key) return;
  node.told = key;
  const open = node.querySelector('details')?.open ?? node.matches('foreign-pods');
  node.replaceChildren(
    h(
      'details',
      { class: 'queue-lane', 'data-lane': 'foreign', open },
      h('summary', { class: 'queue-lane-head' }, icon('right', 'icon-s icon-chev'), h('h3', {}, 'Other schedulers'), h('span', { class: 'queue-lane-count' }, count(pods)), h('span', { class: 'queue-lane-rule' }, 'in no queue here')),
      h('div', { class: 'foreign' }, meaning(base, pods, profiles), foreign.map((one) => ofOne(base, one)), rest(base, pods, foreign, profiles)),
    ),
  );
}

const meaning = (base, pods, profiles) =>
  h(
    'p',
    {},
    `${pods === 1 ? 'It waits' : 'They wait'} for a scheduler that has no profile here, so nothing here will ever place ${pods === 1 ? 'it' : 'them'}. Give the `,
    h('a', { href: then(`${base}profiles/`) }, 'profiles'),
    ` one of that name, or set spec.schedulerName to ${profiles.length === 1 ? profiles[0] : 'one of theirs'}.`,
  );

const ofOne = (base, { scheduler, count: all, pods }) =>
  h(
    'div',
    {},
    h('b', { class: 'mono' }, scheduler),
    h('span', { class: 'dim' }, ` ${plural(all, 'pod')}`),
    h('ul', {}, pods.map((key) => h('li', {}, h('a', { class: 'mono', href: then(`${base}pods/${key}/`) }, key)))),
    all > pods.length ? h('a', { href: listed(base, `spec.schedulerName=${scheduler}`) }, `All ${count(all)}`) : '',
  );

function rest(base, pods, foreign, profiles) {
  const told = foreign.reduce((sum, one) => sum + one.count, 0);
  if (told === pods) return '';
  const none = profiles.map((name) => `spec.schedulerName!=${name}`).join(' ');
  return h('a', { href: listed(base, none) }, `${count(pods - told)} more of further schedulers`);
}

const listed = (base, q) => then(`${base}pods/?${new URLSearchParams({ status: 'Pending', q })}`);

// On the page of the queues, below the lanes.
class ForeignPods extends HTMLElement {
  start(_store, { base }) {
    this.base = base;
  }

  update({ cluster }) {
    tellForeign(this, this.base, cluster);
  }
}

customElements.define('foreign-pods', ForeignPods);
