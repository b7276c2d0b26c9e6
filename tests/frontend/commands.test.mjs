// One command at a time; what is asked while a speed is being set waits for it.
import test from 'node:test';
import assert from 'node:assert/strict';
import { initial, Store } from '../../static/js/store.js';
import { blocked, send } from '../../static/js/commands.js';

test('a run asked for while the speed is being set follows it', async () => {
  const posted = [];
  globalThis.document = { querySelector: () => ({ value: 'token' }), cookie: '' };
  globalThis.fetch = async (url, { body }) => {
    posted.push(JSON.parse(body).command);
    await new Promise((done) => setTimeout(done, 20));
    return { headers: new Map([['content-type', 'application/json']]), json: async () => ({ ok: true, seq: 1 }) };
  };
  const store = new Store(initial({ cluster: { can_write: true, wanted: 'paused', seq: 1 } }));
  const speed = send(store, '/c/x/', { command: 'speed', speed: 0.01 });
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(store.state.command.pending, 'speed');
  await Promise.all([speed, send(store, '/c/x/', { command: 'run' })]);
  assert.deepEqual(posted, ['speed', 'run']);
});

test('who is not logged in is told so and nothing is posted', async () => {
  globalThis.fetch = () => assert.fail('posted');
  globalThis.document = { documentElement: { dataset: {} } };
  const store = new Store(initial({ cluster: { can_write: false, wanted: 'paused', seq: 1 } }));
  await send(store, '/c/x/', { command: 'step' });
  assert.match(store.state.command.error, /Log in/);
});

test('who is logged in without the permission is told which one, and who gives it', async () => {
  globalThis.fetch = () => assert.fail('posted');
  globalThis.document = { documentElement: { dataset: { user: 'lea' } } };
  const store = new Store(initial({ cluster: { can_write: false, wanted: 'paused', seq: 1 } }));
  await send(store, '/c/x/', { command: 'step' });
  assert.match(store.state.command.error, /Can change cluster.*administrator/);
  assert.doesNotMatch(store.state.command.error, /Log in/);
});

test('in the past nobody is asked to log in', () => {
  const state = { ...initial({ cluster: { can_write: false, wanted: 'paused', seq: 1 } }), past: true };
  assert.match(blocked(state, 'step'), /past/);
});
