// What stands below a pod's row when it is opened: counters, times, each plugin with its events, and where to read on.
import { h } from '../dom.js';
import { age, clock, plural } from '../format.js';

export function details(card, lane, { base, nowUs, startUs, rules, at: shown }) {
  const at = (us) => [clock(us, startUs), h('span', { class: 'dim' }, ` ${age(nowUs - us)} ago`)];
  const pairs = [
    ['Queue timestamp', at(card.since_us)],
    ['First in ActiveQ', card.first_us ? at(card.first_us) : ['not yet']],
    ['Attempts', [String(card.attempts)]],
    ['Refused attempts', [`${card.refusals ?? 0}, never reset`]],
    ['Errors in a row', [String(card.errors ?? 0)]],
    ['Next backoff', [nextBackoff(card, rules)]],
    ['Nominated node', [card.nominated_node ?? '<none>']],
    ['Brought here by', broughtBy(card, base, startUs)],
  ];
  return h(
    'div',
    { class: 'lane-details' },
    h('dl', {}, ...pairs.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, ...value)])),
    listening(card, lane, rules),
    links(card, base, shown),
  );
}

// Initial, doubled with every refusal (or error in a row), up to the cap.
function nextBackoff(card, rules) {
  const count = (card.errors || card.refusals || 0) + 1;
  const us = Math.min(rules.max_backoff_us, rules.initial_backoff_us * 2 ** Math.min(count - 1, 40));
  return `${us / 1_000_000}s if it fails again`;
}

function broughtBy(card, base, startUs) {
  if (!card.moved_seq) return ['nothing that the log tells'];
  const seq = h('a', { href: `${base}?at=${card.moved_seq}` }, `event ${card.moved_seq}`);
  return [card.why ?? 'its arrival', h('span', { class: 'dim' }, card.means ? ` ${card.means}` : ''), ', ', seq, ` at ${clock(card.moved_us, startUs)}`];
}

function listening(card, lane, rules) {
  if (lane === 'active') return h('p', { class: 'soft' }, 'It waits for its turn only: events do not move it.');
  if (lane === 'in_flight') {
    return h('p', { class: 'soft' }, 'Events that happen now are weighed if the attempt fails.');
  }
  if (lane === 'backoff') {
    const early = rules.pop_from_backoff && !card.errors;
    return h('p', { class: 'soft' }, early ? EARLY : 'It waits for the end of its backoff only.');
  }
  if (!rules.hints) return h('p', { class: 'soft' }, 'Queueing hints are off: any event of the cluster moves it.');
  const names = [...new Set([...(card.plugins ?? []), ...(card.gate_plugin ? [card.gate_plugin] : [])])];
  const list = names.map((name) => {
    const events = rules.listens[name] ?? [];
    const pending = card.pending?.includes(name) ? ' (pending: its yes skips the backoff)' : '';
    return h('li', {}, h('b', {}, name), `${pending} hears of `, heard(events, rules));
  });
  const intro = `Waits for ${plural(names.length, 'plugin')} to see help in an event:`;
  return h('div', {}, h('p', { class: 'soft' }, intro), h('ul', {}, list));
}

// Each event with what it means.
function heard(events, rules) {
  if (!events.length) return ['nothing'];
  return events.flatMap((event, at) => [at ? ', ' : '', event, rules.words[event] ? h('span', { class: 'dim' }, ` (${rules.words[event]})`) : '']);
}

const EARLY =
  'It goes when its backoff ends. If ActiveQ is empty, Pop takes the first of BackoffQ early (since v1.33).';

function links(card, base, at) {
  const moves = new URLSearchParams({ pod: card.key, ...(at ? { at } : {}) });
  return h(
    'p',
    { class: 'row row-wrap' },
    h('a', { class: 'button', href: `${base}pods/${card.key}/${at ? `?at=${at}` : ''}#story` }, 'Why is it (not) retried?'),
    h('a', { class: 'button', href: `${base}moves/?${moves}` }, 'All its moves'),
  );
}
