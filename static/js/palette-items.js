// What the command palette offers for a text: pages, actions, pods, nodes, cycles. Pure.
import { age, plural } from './format.js';

const EACH = 6; // hits a group
const PAGES = [
  { icon: 'import', text: 'Import a cluster: file, text or sample', note: '', href: '/import/' },
  { icon: 'board', text: 'All clusters', note: '', href: '/' },
  { icon: 'learn', text: 'Learn: small cases, guess and see', note: '', href: '/learn/' },
  { icon: 'admin', text: 'Admin: edit nodes, pods and users', note: '', href: '/admin/' },
];

const ofCluster = (base) =>
  base
    ? [
        { icon: 'export', text: 'Export: objects, Chrome trace, event log, tables', note: '', href: `${base}export/` },
        { icon: 'learn', text: 'Save as case: this moment with a question, for Learn', note: '', href: `${base}case/` },
      ]
    : [];

// `known`: {base, state (a BoardState or null), found (what the server found for this text, or null), actions: [{key, text,
// run}]}. Gives [{title, items: [{icon, text, note, href | run}]}].
export function itemsFor(text, { base, state, found = null, actions, verbs = [] }) {
  const needle = text.trim().toLowerCase();
  const said = spoken(text.trim(), verbs, state);
  const [doing, going] = [false, true].map((leads) => actions.filter(({ key }) => key.startsWith('G ') === leads));
  const groups = [
    { title: 'Do', items: said },
    ...likelierFirst(needle, [
      { title: 'Pods', items: joined(pods(needle, base, state), foundPods(found, base)) },
      { title: 'Nodes', items: joined(nodes(needle, base, state), foundNodes(found, base)) },
    ]),
    { title: 'Cycles', items: cycles(needle, base, state) },
    { title: 'Time', items: moments(needle, base, state) },
    { title: 'Actions', items: matching(needle, doing.map(actionItem)).slice(0, needle ? EACH : 12) },
    { title: 'Pages', items: matching(needle, [...going.map(actionItem), ...PAGES, ...ofCluster(base)]) },
    { title: 'Search', items: needle ? searches(text.trim(), base) : [] },
  ];
  return groups.filter((group) => group.items.length);
}

// Of `gen`, the nodes general-… are meant rather than pods that have it in the midst of their names.
function likelierFirst(needle, [pods, nodes]) {
  const begins = ({ items }) => items.some(({ text }) => text.split('/').some((part) => part.startsWith(needle)));
  return needle && begins(nodes) && !begins(pods) ? [nodes, pods] : [pods, nodes];
}

// What is known here is told more closely; the server knows what runs and what lies beyond a lane's first cards.
function joined(here, there) {
  const known = new Set(here.map(({ href }) => href));
  return [...here, ...there.filter(({ href }) => !known.has(href))].slice(0, EACH);
}

const foundPods = (found, base) =>
  (found?.pods ?? []).map(({ key, note }) => ({ icon: 'pod', text: key, note, href: `${base}pods/${key}/` }));
const foundNodes = (found, base) =>
  (found?.nodes ?? []).map(({ name, note }) => ({ icon: 'node', text: name, note, href: `${base}nodes/${name}/` }));

const actionItem = ({ key, text, run }) => ({
  icon: 'right',
  text: text[0].toUpperCase() + text.slice(1),
  note: key,
  key: Boolean(key),
  run,
});

// `cordon gpu-a-01`, `run until bound:shop/web`: a verb and what it is done to; nodes are offered by name.
function spoken(text, verbs, state) {
  return verbs.flatMap(({ verb, what, run }) => {
    if (!text || !verb.startsWith(text.slice(0, verb.length).toLowerCase())) return [];
    const rest = text.slice(verb.length).trim();
    const doing = (word) => ({ icon: 'right', text: `${capital(verb)} ${word}`, note: '', run: () => run(word) });
    if (text.length < verb.length || !rest) return [{ icon: 'right', text: `${capital(verb)} …`, note: what, say: `${verb} ` }];
    if (what !== 'node') return [doing(rest)];
    return nodeNames(state).filter((name) => name.includes(rest.toLowerCase())).slice(0, EACH).map(doing);
  });
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const nodeNames = (state) => state?.map?.groups.flatMap((group) => group.tiles.map((tile) => tile.name)) ?? [];

const matching = (needle, items) => items.filter((item) => item.text.toLowerCase().includes(needle));

const LANES = {
  in_flight: 'in flight',
  active: 'ActiveQ',
  backoff: 'BackoffQ',
  unschedulable: 'Unschedulable',
  gated: 'Gated',
};

function pods(needle, base, state) {
  if (!needle || !state?.lanes) return [];
  const word = needle.replace(/^(po|pod|pods)\//, '');
  const now = state.cluster.now_us;
  const all = state.lanes.flatMap((lane) =>
    lane.cards.map((card) => ({
      icon: 'pod',
      text: card.key,
      note: `${LANES[lane.name]}${card.rank ? `, rank ${card.rank}` : ''}, queued ${age(now - card.since_us)} ago`,
      href: `${base}pods/${card.key}/`,
    })),
  );
  return matching(word, all).slice(0, EACH);
}

function nodes(needle, base, state) {
  if (!needle || !state?.map) return [];
  const word = needle.replace(/^(no|node|nodes)\//, '');
  const all = state.map.groups.flatMap((group) =>
    group.tiles.map((tile) => ({
      icon: 'node',
      text: tile.name,
      note: `${group.name || 'no zone'}, ${plural(tile.pod_count, 'pod')}`,
      href: `${base}nodes/${tile.name}/`,
    })),
  );
  return matching(word, all).slice(0, EACH);
}

function cycles(needle, base, state) {
  const number = Number(needle.replace(/^(cycle|#)\s*/, ''));
  const last = state?.cycle?.number ?? 0;
  if (!needle || !Number.isInteger(number) || number < 1 || number > last) return [];
  return [{ icon: 'cycle', text: `Cycle ${number}`, note: '', href: `${base}cycles/${number}/` }];
}

function moments(needle, base, state) {
  const number = Number(needle.replace(/^(event|at)\s*/, ''));
  const last = state?.cluster.seq ?? 0;
  if (!needle || !Number.isInteger(number) || number < 1 || number > last) return [];
  return [{ icon: 'clock', text: `Back to event ${number}`, note: '', href: `${base}?at=${number}` }];
}

function searches(text, base) {
  if (!base) return [];
  const query = encodeURIComponent(text);
  return [
    { icon: 'search', text: `All pods that match “${text}”`, note: '', href: `${base}pods/?q=${query}` },
    { icon: 'search', text: `All nodes that match “${text}”`, note: '', href: `${base}nodes/?q=${query}` },
  ];
}
