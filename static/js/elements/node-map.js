// A zone of many nodes as one picture: a square a node, shade its requested cpu, one path a shade.
import { h, s } from '../dom.js';

const SIDE = 9;
const PITCH = 10;
const ACROSS = 36;

export function nodeMap(group, base) {
  const paths = Array.from({ length: 11 }, () => []);
  const off = [];
  const down = [];
  const marked = [];
  group.tiles.forEach((tile, at) => {
    const x = (at % ACROSS) * PITCH;
    const y = Math.floor(at / ACROSS) * PITCH;
    const box = `M${x} ${y}h${SIDE}v${SIDE}h-${SIDE}z`;
    if (tile.state === 'not_ready') down.push(box);
    else if (tile.state === 'cordoned' || tile.verdict)
      off.push(`M${x + 0.5} ${y + 0.5}h${SIDE - 1}v${SIDE - 1}h-${SIDE - 1}z`);
    else paths[Math.min(10, Math.max(0, Math.round(tile.cpu * 10)))].push(box);
    if (tile.lead || tile.tie) marked.push(`M${x - 0.5} ${y - 0.5}h${SIDE + 1}v${SIDE + 1}h-${SIDE + 1}z`);
  });
  const high = Math.ceil(group.tiles.length / ACROSS) * PITCH;
  const shades = paths.map(
    (boxes, at) => boxes.length && s('path', { class: `f${String(at).padStart(2, '0')}`, d: boxes.join('') }),
  );
  const picture = s(
    'svg',
    {
      viewBox: `-1 -1 ${ACROSS * PITCH + 1} ${high + 1}`,
      role: 'img',
      'aria-label': `${group.tiles.length} nodes of ${group.name || 'no zone'} by requested cpu`,
    },
    shades.filter(Boolean),
    off.length ? s('path', { class: 'f-off', d: off.join('') }) : null,
    down.length ? s('path', { class: 'f-down', d: down.join('') }) : null,
    marked.length ? s('path', { class: 'f-sel', d: marked.join('') }) : null,
  );
  const tip = h('p', { class: 'node-map-tip label' }, 'Shade: requested cpu. Outline: refused or cordoned.');
  picture.addEventListener('pointermove', (event) => {
    tip.textContent = words(tileAt(picture, event, group));
  });
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
  if (!tile) return 'Shade: requested cpu. Outline: refused or cordoned.';
  return `${tile.name}: cpu ${Math.floor(tile.cpu * 100)}%, ${tile.pod_count} pods${tile.verdict ? `, refused: ${tile.verdict}` : ''}`;
}
