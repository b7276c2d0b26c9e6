// The pods of a node as small squares, a look an owner: eight colours, each solid, hollow (from 9) and striped (from 17).
import { s } from '../dom.js';

export const ACROSS = 9; // squares in a row; there are two rows
const PITCH = 6;

// `pods`: [[look, count], ...]; `across`: so many have room in a row. A plus stands for what has no room.
export function podSquares(pods, across) {
  const room = across * 2;
  const owners = pods.flatMap(([look, count]) => Array(count).fill(look));
  const shown = owners.slice(0, owners.length > room ? room - 1 : room);
  const single = owners.length <= across; // one row, of larger squares
  const marks = shown.map((look, at) => {
    const [x, y] = [(at % across) * PITCH, single ? 1.5 : at < across ? 0 : 4.5];
    return square(look, x, y, single ? 5 : 4, single ? 5 : 3.5);
  });
  const more = owners.length > room ? s('path', { d: `M${(across - 1) * PITCH} 6.5h4m-2-2v4` }) : null;
  return s(
    'svg',
    { class: 'node-tile-pods', viewBox: `0 0 ${across * PITCH} 8`, preserveAspectRatio: 'xMinYMid meet', 'aria-hidden': 'true' },
    marks,
    more,
  );
}

function square(look, x, y, width, height) {
  if (look > 16) return s('line', { class: `o${look}`, x1: x, x2: x + width, y1: y + height / 2, y2: y + height / 2, 'stroke-width': height });
  if (look > 8) return s('rect', { class: `o${look}`, x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 });
  return s('rect', { class: `o${look}`, x, y, width, height, rx: 0.5 });
}
