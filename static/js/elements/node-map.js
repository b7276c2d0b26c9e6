// A zone of many nodes as one picture: a square a node, shade its requested cpu, one path a shade.
import { h, s } from '../dom.js';
import { plural } from '../format.js';
import { shades } from './node-shades.js';

const PITCH = 10;
const ACROSS = 36;

export function nodeMap(group, base) {
  const cells = group.tiles.map((tile) => ({
    share: tile.cpu,
    look: tile.state === 'not_ready' ? 'down' : tile.state === 'cordoned' || tile.verdict ? 'off' : '',
    slash: tile.state === 'cordoned',
    marked: tile.lead || tile.tie,
  }));
  const high = Math.ceil(group.tiles.length / ACROSS) * PITCH;
  const picture = s(
    'svg',
    {
      viewBox: `-1 -1 ${ACROSS * PITCH + 1} ${high + 1}`,
      role: 'img',
      'aria-label': `${plural(group.tiles.length, 'node')} of ${group.name || 'no zone'} by requested cpu`,
    },
    shades(cells, ACROSS, PITCH),
  );
  const tip = h('p', { class: 'node-map-tip' });
  picture.addEventListener('pointermove', (event) => {
    tip.textContent = words(tileAt(picture, event, group));
  });
  picture.addEventListener('pointerleave', () => tip.replaceChildren());
  picture.addEventListener('click', (event) => {
    const tile = tileAt(picture, event, group);
    if (tile) location.href = `${base}nodes/${tile.name}/`;
  });
  return h('div', { class: 'node-map-group' }, picture, tip);
}

function tileAt(picture, event, group) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  const column = Math.floor(at.x / PITCH);
  return column < 0 || column >= ACROSS ? null : (group.tiles[Math.floor(at.y / PITCH) * ACROSS + column] ?? null);
}

function words(tile) {
  if (!tile) return '';
  return `${tile.name}: cpu ${Math.floor(tile.cpu * 100)}%, ${plural(tile.pod_count, 'pod')}${tile.verdict ? `, refused: ${tile.verdict}` : ''}`;
}
