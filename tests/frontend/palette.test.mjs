import { test } from 'node:test';
import assert from 'node:assert/strict';
import { itemsFor } from '../../static/js/palette-items.js';
import { board } from './fixture.mjs';

const known = (state = board()) => ({
  base: '/c/demo/',
  state,
  actions: [{ key: 'S', text: 'step one cycle', run: () => {} }],
});
const titles = (text, with_ = known()) => itemsFor(text, with_).map((group) => group.title);
const hits = (text, title) => itemsFor(text, known()).find((group) => group.title === title)?.items ?? [];

test('without a text actions and pages are offered', () => {
  assert.deepEqual(titles(''), ['Actions', 'Pages']);
});

test('what leads to a page stands among the pages', () => {
  const actions = [...known().actions, { key: 'G Q', text: 'go to queue', run: () => {} }];
  const [doing, pages] = itemsFor('', { ...known(), actions });
  assert.deepEqual(doing.items.map(({ text }) => text), ['Step one cycle']);
  assert.equal(pages.items[0].text, 'Go to queue');
});

test('importing is found by its name, in a cluster and outside of one', () => {
  assert.equal(hits('impor', 'Pages')[0].href, '/import/');
  const outside = itemsFor('import', { base: undefined, state: null, actions: [] });
  assert.deepEqual(
    outside.map((group) => [group.title, group.items[0].href]),
    [['Pages', '/import/']],
  );
});

test('a pod is found by a part of its name, also as kubectl writes it', () => {
  const card = board().lanes.flatMap((lane) => lane.cards)[0];
  const name = card.key.split('/')[1];
  assert.equal(hits(`po/${name}`, 'Pods')[0].href, `/c/demo/pods/${card.key}/`);
});

test('what begins with the text comes before what only holds it', () => {
  const found = { pods: [{ key: 'shop/agent', note: '' }], nodes: [{ name: 'general', note: '' }] };
  assert.deepEqual(titles('gen', { ...known(), found }).slice(0, 2), ['Nodes', 'Pods']);
  found.pods.push({ key: 'shop/gen-1', note: '' });
  assert.deepEqual(titles('gen', { ...known(), found }).slice(0, 2), ['Pods', 'Nodes']);
});

test('a node is found with its zone', () => {
  const [group] = board().map.groups;
  const [hit] = hits(`no/${group.tiles[0].name}`, 'Nodes');
  assert.equal(hit.href, `/c/demo/nodes/${group.tiles[0].name}/`);
  assert.ok(hit.note.startsWith(group.name));
});

test('a number is a cycle if there was one', () => {
  const last = board().cycle.number;
  assert.equal(hits(String(last), 'Cycles')[0].href, `/c/demo/cycles/${last}/`);
  assert.deepEqual(hits(String(last + 1), 'Cycles'), []);
  assert.deepEqual(hits('0', 'Cycles'), []);
});

test('a number is a moment of the log if it got that far', () => {
  const { seq } = board().cluster;
  for (const text of [String(seq), `event ${seq}`, `at ${seq}`]) {
    assert.equal(hits(text, 'Time')[0].href, `/c/demo/?at=${seq}`);
  }
  assert.deepEqual(hits(String(seq + 1), 'Time'), []);
  assert.deepEqual(hits('event', 'Time'), []);
});

test('a search leads to the tables with the text escaped', () => {
  assert.equal(hits('a&b', 'Search')[0].href, '/c/demo/pods/?q=a%26b');
});

test('outside of a cluster there is nothing to search', () => {
  assert.deepEqual(titles('web', { ...known(null), base: undefined }), []);
});

test('a verb takes a word: a node by its name, or whatever the server understands', () => {
  const done = [];
  const verbs = [
    { verb: 'cordon', what: 'node', run: (name) => done.push(name) },
    { verb: 'run until', what: 'bound, idle', run: (until) => done.push(until) },
  ];
  const said = (text) => itemsFor(text, { ...known(), verbs }).find((group) => group.title === 'Do')?.items ?? [];
  const [{ name }] = board().map.groups[0].tiles;
  assert.deepEqual(said('cor').map((item) => item.say), ['cordon ']);
  said(`Cordon ${name}`)[0].run();
  said('run until cycle=+3')[0].run();
  assert.deepEqual(done, [name, 'cycle=+3']);
  assert.deepEqual(said('cordon no-such-node'), []);
  assert.deepEqual(said('shop'), []);
});

test('what the server found is offered too, once, where this page knows nothing', () => {
  const found = { pods: [{ key: 'shop/payments-1', note: 'Running, node-1' }], nodes: [{ name: 'node-9', note: 'zone-1' }] };
  const groups = itemsFor('a', { base: '/c/demo/', state: null, found, actions: [] });
  const hrefs = (title) => groups.find((group) => group.title === title).items.map(({ href }) => href);
  assert.deepEqual(hrefs('Pods'), ['/c/demo/pods/shop/payments-1/']);
  assert.deepEqual(hrefs('Nodes'), ['/c/demo/nodes/node-9/']);
  const { key } = board().lanes.flatMap((lane) => lane.cards)[0];
  const again = itemsFor(key, { ...known(), found: { pods: [{ key, note: '' }], nodes: [] } });
  assert.equal(again.find((group) => group.title === 'Pods').items.length, 1);
});
