// A node: its number, its pods as squares coloured by owner, two bars, and what the cycle says of it.
import { h, icon, meter, setMeter, setProps, setText } from '../dom.js';
import { percent, plural, shortResource } from '../format.js';
import { ACROSS, podSquares } from './pod-squares.js';

const [SQUARE_PX, NAME_PX, WORD_PX] = [6, 6.7, 5.4]; // of a square with its gap; of a letter of the name, and of the word before squares
const SIGNS = { lead: 'star', tie: 'star', out: 'cross', cordon: 'cordon', down: 'warn' };

export function nodeTile(tile, base) {
  const bars = [meter(0), meter(0)];
  const sign = h('span', { class: 'node-tile-sign' });
  const node = h(
    'a',
    { class: 'node-tile', href: `${base}nodes/${tile.name}/`, tabindex: '-1' },
    h('span', { class: 'node-tile-name' }, h('span', { class: 'clip' })),
    h('span', { class: 'node-tile-middle' }),
    h('span', { class: 'node-tile-bars' }, bars),
    sign,
  );
  Object.assign(node, { bars, sign });
  return node;
}

// `naming`: see tile-names.js.
export function patchTile(node, tile, { whole, letters }) {
  if (node.drawnTile === tile) return;
  node.drawnTile = tile;
  const state = stateOf(tile);
  setProps(node, { 'data-state': state, title: title(tile) });
  const [name, middle] = node.children;
  setText(name.firstChild, whole ? tile.name : tile.short);
  node.sign.replaceChildren(SIGNS[state] ? icon(SIGNS[state]) : '');
  const why = whyOf(tile, state);
  const across = why ? beside(why.textContent, letters) : ACROSS;
  const picture = across ? podSquares(tile.pods, across) : '';
  if (picture) setProps(picture, { 'data-beside': Boolean(why) });
  middle.replaceChildren(why ?? '', picture);
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

// How many squares in a row have room beside a word: the word comes first.
function beside(word, letters) {
  const room = Math.floor((Math.max(7, letters) * NAME_PX + 2 - word.length * WORD_PX) / SQUARE_PX);
  return room < 2 ? 0 : Math.min(ACROSS, room);
}

function title(tile) {
  const words = [`${tile.name}: cpu ${percent(tile.cpu)}, memory ${percent(tile.memory)}`];
  if (tile.extra !== null) words.push(`${shortResource(tile.extra_name)} ${percent(tile.extra)}`);
  words.push(plural(tile.pod_count, 'pod'));
  if (tile.state !== 'ready') words.push(tile.state.replace('_', ' '));
  if (tile.verdict === '') words.push('feasible');
  if (tile.verdict) words.push(`refused: ${tile.full ?? tile.verdict}`);
  if (tile.taints.length) words.push(`taints ${tile.taints.join(', ')}`);
  return words.join(', ');
}
