// Why a pod was, or was not, retried: its events as a list, and for the chosen one every plugin's answer.
import { announce, h, icon, sentence, setProps } from '../dom.js';
import { clock, plural } from '../format.js';
import { WORDS } from './queue-words.js';

const VERDICTS = {
  queue: ['tick', 'ok', 'Queue: try again'],
  skip: ['cross', 'no', 'Skip: no help'],
  deaf: ['minus', 'dim', 'does not listen'],
};
const OUTCOMES = { moved: ['tick', 'ok'], stayed: ['cross', 'no'], not_asked: ['minus', 'dim'] };

class PodStory extends HTMLElement {
  connectedCallback() {
    this.start = Number(document.documentElement.dataset.start);
    this.base = document.documentElement.dataset.base;
    this.replaceChildren(h('p', { class: 'sheet-body dim' }, 'Asking the plugins…'));
    this.load();
  }

  async load() {
    const here = new URLSearchParams(location.search);
    const asked = new URLSearchParams();
    for (const name of ['event', 'at']) if (here.get(name)) asked.set(name, here.get(name));
    const answer = await fetch(`${this.dataset.url}?${asked}`).catch(() => null);
    if (!answer?.ok) return this.replaceChildren(h('p', { class: 'sheet-body dim' }, 'The story could not be read.'));
    this.story = await answer.json();
    return this.draw(Number(here.get('event')));
  }

  draw(wanted) {
    const { events, left_out: leftOut } = this.story;
    const flush = this.flush();
    if (!events.length) {
      const text = 'Nothing has happened since it was added that could wake a waiting pod.';
      return this.replaceChildren(h('p', { class: 'sheet-body dim' }, `${text} ${flush}`));
    }
    this.chosen = h('div', { class: 'pod-story-answer', 'aria-live': 'polite' });
    this.buttons = new Map(events.map((event) => [event.seq, this.button(event)]));
    const list = h('ul', { class: 'pod-story-events', 'aria-label': 'Events' });
    if (flush) list.append(h('li', { class: 'dim' }, flush));
    list.append(...[...this.buttons.values()].map((button) => h('li', {}, button)));
    if (leftOut) list.append(h('li', { class: 'dim' }, `${plural(leftOut, 'more lies', 'more lie')} too far back`));
    this.replaceChildren(h('div', { class: 'pod-story' }, list, this.chosen));
    const told = events.find(({ answers }) => answers.length);
    return this.choose(events.find(({ seq }) => seq === wanted) ?? told ?? events[0], false);
  }

  flush() {
    const { flush_us: at } = this.story;
    return at ? `If nothing else brings it back, the periodic flush does, at ${clock(at, this.start)}.` : '';
  }

  button(event) {
    const [sign, looks] = OUTCOMES[event.outcome];
    const time = h('span', { class: 'mono dim' }, clock(event.at_us, this.start));
    const result = event.moved ? `→ ${WORDS[event.moved]}` : event.outcome === 'stayed' ? 'stayed' : 'not asked';
    return h(
      'button',
      { type: 'button', onclick: () => this.choose(event, true) },
      h('span', { class: looks }, icon(sign, 'icon-s')),
      h('span', { class: 'clip' }, event.what),
      h('span', { class: 'dim nowrap' }, result),
      time,
    );
  }

  choose(event, byPerson) {
    for (const [seq, button] of this.buttons) setProps(button, { 'aria-pressed': String(seq === event.seq) });
    const then = h('a', { href: `${this.base}?at=${event.seq}` }, `event ${event.seq}`);
    this.chosen.replaceChildren(
      h('p', { class: 'say' }, h('b', {}, event.what), ', ', then, ` at ${clock(event.at_us, this.start)}`),
      h('p', { class: 'say' }, ...sentence(event.conclusion)),
      event.cause ? h('p', { class: 'say dim' }, 'The move is called ', h('code', {}, event.cause), event.means ? `: ${event.means}.` : '.') : '',
      event.answers.length ? answers(event) : '',
    );
    if (!byPerson) return;
    const url = new URL(location.href);
    url.searchParams.set('event', event.seq);
    url.hash = 'story';
    history.replaceState(null, '', url);
    announce(event.conclusion.replaceAll('`', ''));
  }
}

function answers(event) {
  const rows = event.answers.map(({ plugin, event: label, means, verdict, because }) => {
    const [sign, looks, word] = VERDICTS[verdict];
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, plugin),
      h('td', { class: `${looks} nowrap` }, icon(sign, 'icon-s inline'), ` ${word}`),
      h('td', {}, because),
      h('td', {}, h('span', { class: 'mono' }, label), ' ', h('span', { class: 'dim' }, means)),
    );
  });
  const head = ['plugin', 'its answer', 'because', 'event'].map((text) => h('th', { scope: 'col' }, text));
  const table = h(
    'table',
    { class: 'data-table' },
    h('caption', { class: 'vh' }, `Answers to: ${event.what}`),
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...rows),
  );
  return h('div', { class: 'data-table-wrap', tabindex: '0', role: 'region', 'aria-label': 'Table of answers' }, table);
}

customElements.define('pod-story', PodStory);
