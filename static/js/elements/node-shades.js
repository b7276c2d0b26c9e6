// Nodes as squares, one path a shade, so that thousands cost no more than a few: shared by the board's map and the nodes'.
import { s } from '../dom.js';

const SHADES = 11;

const square = (x, y, side) => `M${x} ${y}h${side}v${side}h-${side}z`;
const shadeOf = (share) => Math.min(SHADES - 1, Math.max(0, Math.round(share * (SHADES - 1))));
export const shadeClass = (shade) => `f${String(shade).padStart(2, '0')}`;
export const placeOf = (at, across, pitch) => [(at % across) * pitch, Math.floor(at / across) * pitch];

// Cells: {share (null: offers none), look: '' | 'off' | 'down', marked}. Gives the paths, back to front.
export function shades(cells, across, pitch) {
  const side = pitch - 1;
  const lines = { off: [], down: [], cross: [], none: [], over: [], marked: [] };
  const filled = Array.from({ length: SHADES }, () => []);
  cells.forEach((cell, at) => {
    const [x, y] = placeOf(at, across, pitch);
    if (cell.look === 'down') {
      lines.down.push(square(x, y, side));
      lines.cross.push(`M${x + 2.5} ${y + 2.5}l${side - 5} ${side - 5}m0 ${5 - side}l${5 - side} ${side - 5}`);
    } else if (cell.look === 'off') {
      lines.off.push(square(x + 0.5, y + 0.5, side - 1));
      if (cell.slash) lines.off.push(`M${x + 2} ${y + side - 2}l${side - 4} ${4 - side}`);
    } else if (cell.share === null) lines.none.push(square(x + 0.5, y + 0.5, side - 1));
    else filled[shadeOf(cell.share)].push(square(x, y, side));
    if (cell.share > 1 && !cell.look) lines.over.push(square(x + 1, y + 1, side - 2));
    if (cell.marked) lines.marked.push(square(x - 0.5, y - 0.5, side + 1));
  });
  const path = (name, parts) => parts.length && s('path', { class: name, d: parts.join('') });
  return [
    ...filled.map((parts, shade) => path(shadeClass(shade), parts)),
    path('f-none', lines.none),
    path('f-off', lines.off),
    path('f-down', lines.down),
    path('f-x', lines.cross),
    path('f-over', lines.over),
    path('f-sel', lines.marked),
  ].filter(Boolean);
}
