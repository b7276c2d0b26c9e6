// Before the first cycle: who is scheduled next, buttons to begin, and what a cycle then does.
import { send } from '../commands.js';
import { h, icon, parted, redraw } from '../dom.js';
import { count, plural } from '../format.js';
import { shortcut } from '../keyboard.js';
import { adding } from '../origin.js';

// The framework's words, and plain ones.
const STEPS = [
  ['Pop', 'takes the first pod of ActiveQ.'],
  ['Filter', 'finds the nodes that can take it, and keeps the reason of each that cannot.'],
  ['Map', 'scores those nodes by each algorithm, in ranges on the workers.'],
  ['Reduce', 'brings what an algorithm found on all nodes to 0 to 100.'],
  ['Sum', 'weighs and adds: one total a node.'],
  ['Select', 'takes the best total; a tie is drawn by chance.'],
  ['Bind', 'gives the pod its node. If none can take it, PostFilter looks for pods to preempt.'],
];
const COMMANDS = {
  step: ['Step the first cycle', 'S', 'step'],
  'step-phase': ['Step a phase', '⇧S', 'phase'],
  run: ['Run', 'Space', 'play'],
  pause: ['Pause', 'Space', 'pause'],
};

class FirstCycle extends HTMLElement {
  start(store, { base }) {
    Object.assign(this, { store, base, hidden: true });
  }

  update({ shown, cycle, past, lanes, cluster, command }) {
    const over = Boolean(shown ?? cycle) || past;
    const key = over ? 'over' : [cluster.wanted, cluster.can_write, cluster.node_count, command.pending, command.next].join('|');
    if (key === this.drawn && (over || lanes === this.lanes)) return;
    [this.drawn, this.lanes] = [key, lanes];
    // The button goes with the first cycle; from the page Space runs.
    if (over && this.contains(document.activeElement)) document.getElementById('page').focus({ preventScroll: true });
    this.hidden = over;
    if (over) this.replaceChildren();
    else redraw(this, ...this.content(lanes, cluster, command));
  }

  content(lanes, cluster, command) {
    const lane = (name) => lanes.find((one) => one.name === name) ?? { count: 0, cards: [] };
    const waits = lanes.some((one) => one.count && one.name !== 'gated');
    const makers = JSON.parse(document.getElementById('makers')?.textContent ?? '[]');
    const told = waits ? next(this.base, lane('active'), cluster) : makers.length ? making(makers) : noPod(this.base, lane('gated').count);
    const begin = !waits && !makers.length ? [] : cluster.wanted === 'running' ? ['pause'] : waits ? ['step', 'run', 'step-phase'] : ['run'];
    return [
      h('div', { class: 'first-head' }, h('p', { class: 'first-say' }, told[0]), h('p', { class: 'soft' }, told[1])),
      begin.length ? this.buttons(begin, cluster, command) : '',
      h(
        'section',
        { class: 'first-steps', 'aria-labelledby': 'h-first' },
        h('h3', { id: 'h-first' }, 'What a cycle does'),
        h('ol', {}, STEPS.map(([name, what]) => h('li', {}, h('b', {}, name), ' ', h('span', {}, what)))),
      ),
      h(
        'p',
        { class: 'first-more soft' },
        h('button', { class: 'button button-quiet', type: 'button', 'data-tour-open': true }, icon('info'), 'Tour in six steps'),
        h('a', { class: 'button button-quiet', href: '/learn/' }, icon('learn'), 'Learn on small cases'),
      ),
    ];
  }

  buttons(commands, { can_write: may }, { pending, next: then }) {
    const login = `/login/?next=${encodeURIComponent(location.pathname)}`;
    if (!may && document.documentElement.dataset.user) return h('p', { class: 'soft' }, 'You may look but not change.');
    if (!may) return h('p', {}, h('a', { class: 'button button-primary', href: login }, 'Log in to step, run or branch'));
    return h(
      'p',
      { class: 'row row-wrap' },
      commands.map((command, at) => {
        const [text, key, sign] = COMMANDS[command];
        return h(
          'button',
          {
            class: `button ${['button-primary', '', 'hide-s'][at]}`.trim(),
            type: 'button',
            'aria-keyshortcuts': shortcut(key),
            'data-state': pending === command || then === command ? 'busy' : null,
            onclick: () => send(this.store, this.base, { command }),
          },
          icon(sign),
          h('span', {}, text),
          h('kbd', { class: 'key-hint', 'aria-hidden': 'true' }, key),
        );
      }),
    );
  }
}

const podLink = (base, key) => h('a', { class: 'mono strong', href: `${base}pods/${key}/` }, parted(key));

// Each gives a sentence and what to add to it. Who is popped first, and why it is the first:
function next(base, { count: size, cards: [first, second] }, { node_count: nodes }) {
  if (!first) return ['No pod has been scheduled yet.', 'Each waits for an event, or for the end of its backoff.'];
  const highest = second && first.priority > second.priority;
  const why = !second ? '' : highest ? `Its priority, ${count(first.priority)}, is the highest of ${plural(size, 'pod')} in ActiveQ. ` : `It is the first of ${plural(size, 'pod')} in ActiveQ: by priority, then by time. `;
  const where = nodes
    ? `The first cycle looks for its place on ${nodes === 1 ? 'the one node' : `${count(nodes)} nodes`}.`
    : ['There is no node yet, so it will be refused: ', h('a', { href: adding('node') }, 'add one'), ' first.'];
  return [[podLink(base, first.key), ' is scheduled next.'], [why, where].flat()];
}

// A cluster whose workloads have made no pod yet needs nothing but to run.
function making([one, ...others]) {
  const name = one.href ? h('a', { class: 'mono strong', href: one.href }, one.name) : h('code', {}, one.name);
  const more = others.length ? `So will ${plural(others.length, 'more workload')}. ` : '';
  return [[name, ` will make ${plural(one.pods, 'pod')}.`], `${more}Controllers work while the cluster runs; their pods come to the queues.`];
}

function noPod(base, gated) {
  const ways = [h('a', { href: '/import/' }, gated ? 'Import more' : 'Import some'), ', or ', h('a', { href: adding('pod') }, 'add one'), '.'];
  if (!gated) return ['No pod waits.', ways];
  const pods = h('a', { href: `${base}queue/#lane-gated` }, plural(gated, 'pod'));
  return [[pods, ` ${gated === 1 ? 'waits' : 'wait'} for scheduling gates to be removed.`], ['No other pod waits. ', ...ways]];
}

customElements.define('first-cycle', FirstCycle);
