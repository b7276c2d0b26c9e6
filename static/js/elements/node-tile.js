// A node: its number, its pods as squares coloured by owner, two bars, and what the cycle says of it.
import { h, s, icon, meter, setMeter, setProps, setText } from '../dom.js';
import { percent, plural, shortResource } from '../format.js';

const SQUARES = 18; // as many fit in a tile
const SIGNS = { lead: 'star', tie: 'star', out: 'cross', cordon: 'cordon', down: 'warn' };

export function nodeTile(tile, base) {
  const bars = [meter(0), meter(0)];
  const sign = h('span', { class: 'node-tile-sign' });
  const node = h(
    'a',
    { class: 'node-tile', href: `${base}nodes/${tile.name}/` },
    h('span', { class: 'node-tile-name' }, h('span', { class: 'clip' })),
    h('span', { class: 'node-tile-middle' }),
    h('span', { class: 'node-tile-bars' }, bars),
    sign,
  );
  Object.assign(node, { bars, sign });
  return node;
}

export function patchTile(node, tile) {
  if (node.drawnTile === tile) return;
  node.drawnTile = tile;
  const state = stateOf(tile);
  setProps(node, { 'data-state': state, title: title(tile) });
  const [name, middle] = node.children;
  setText(name.firstChild, tile.short);
  node.sign.replaceChildren(SIGNS[state] ? icon(SIGNS[state]) : '');
  middle.replaceChildren(whyOf(tile, state) || squares(tile));
  const second = tile.extra ?? tile.memory;
  setMeter(node.bars[0], tile.cpu, tile.cpu > 1 ? 'm-no' : '');
  setMeter(node.bars[1], second, second > 1 ? 'm-no' : '');
}

function stateOf(tile) {
  if (tile.lead) return 'lead';
  if (tile.tie) return 'tie';
  if (tile.state === 'cordoned') return 'cordon';
  if (tile.state === 'not_ready') return 'down';
  if (tile.verdict) return 'out';
  return tile.cpu > 1 || tile.memory > 1 ? 'over' : null;
}

function whyOf(tile, state) {
  const text = { out: tile.verdict, cordon: 'cordoned', down: 'not ready' }[state];
  return text ? h('span', { class: 'node-tile-why' }, text) : null;
}

function squares(tile) {
  const owners = tile.pods.flatMap(([owner, pods]) => Array(pods).fill(owner));
  const shown = owners.slice(0, owners.length > SQUARES ? SQUARES - 3 : SQUARES);
  const marks = shown.map((owner, at) =>
    s('rect', {
      class: `o${owner}`,
      x: (at % 9) * 6,
      y: at < 9 && owners.length <= 9 ? 1.5 : at < 9 ? 0 : 4.5,
      width: owners.length <= 9 ? 5 : 4,
      height: owners.length <= 9 ? 5 : 3.5,
      rx: 0.5,
    }),
  );
  const more = owners.length > SQUARES ? s('text', { x: 37, y: 8.5 }, `+${owners.length - shown.length}`) : null;
  return s(
    'svg',
    { class: 'node-tile-pods', viewBox: '0 0 54 8', preserveAspectRatio: 'xMinYMid meet', 'aria-hidden': 'true' },
    marks,
    more,
  );
}

function title(tile) {
  const words = [`${tile.name}: cpu ${percent(tile.cpu)}, memory ${percent(tile.memory)}`];
  if (tile.extra !== null) words.push(`${shortResource(tile.extra_name)} ${percent(tile.extra)}`);
  words.push(plural(tile.pod_count, 'pod'));
  if (tile.state !== 'ready') words.push(tile.state.replace('_', ' '));
  if (tile.verdict) words.push(`refused: ${tile.verdict}`);
  if (tile.taints.length) words.push(`taints ${tile.taints.join(', ')}`);
  return words.join(', ');
}
