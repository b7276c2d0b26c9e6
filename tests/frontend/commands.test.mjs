// One command at a time; what is asked meanwhile waits for it.
import test from 'node:test';
import assert from 'node:assert/strict';
import { initial, Store } from '../../static/js/store.js';
import { blocked, runs, send } from '../../static/js/commands.js';

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

// Answers each command after a moment; gives the list of what was posted.
function server(answers = {}) {
  const posted = [];
  globalThis.document = { querySelector: () => ({ value: 'token' }), cookie: '', documentElement: { dataset: { user: 'lea' } } };
  globalThis.fetch = async (url, { body }) => {
    const { command } = JSON.parse(body);
    posted.push(command);
    await new Promise((done) => setTimeout(done, 10));
    return { headers: new Map([['content-type', 'application/json']]), json: async () => answers[command] ?? { ok: true, seq: 1 } };
  };
  return posted;
}
const paused = () => new Store(initial({ cluster: { can_write: true, wanted: 'paused', seq: 1 } }));

test('a step asked for while another is under way follows it, and of many only one', async () => {
  const posted = server();
  const store = paused();
  const all = [1, 2, 3, 4].map(() => send(store, '/c/x/', { command: 'step' }));
  assert.equal(store.state.command.next, 'step');
  const answers = await Promise.all(all);
  assert.deepEqual(posted, ['step', 'step']);
  assert.equal(answers.filter(Boolean).length, 2);
  assert.equal(store.state.command.next, '');
});

test('what was to follow is not done where what it follows was refused', async () => {
  const posted = server({ step: { ok: false, error: 'No pod can be popped.' } });
  const store = paused();
  await Promise.all([send(store, '/c/x/', { command: 'step' }), send(store, '/c/x/', { command: 'run' })]);
  assert.deepEqual(posted, ['step']);
  assert.match(store.state.command.error, /popped/);
});

test('a second press on run is to pause', () => {
  const state = paused().state;
  assert.equal(runs(state), false);
  assert.equal(runs({ ...state, command: { ...state.command, pending: 'run' } }), true);
  assert.equal(runs({ ...state, command: { ...state.command, pending: 'run', next: 'pause' } }), false);
});

test('a guest cannot branch, in the past either', () => {
  globalThis.document = { documentElement: { dataset: {} } };
  const state = { ...initial({ cluster: { can_write: false, wanted: 'paused', seq: 1 } }), past: true };
  assert.match(blocked(state, 'branch'), /Log in/);
});
