// Arrow keys among cards in a column and among tiles in a grid.
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Up and down from card to card, over the lanes.
export function walkCards(root, event) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const card = event.target.closest('.pod-card[data-key]');
  if (!step || !card || event.ctrlKey || event.metaKey || event.altKey) return;
  const cards = [...root.querySelectorAll('.pod-card[data-key]')].filter((one) => one.checkVisibility());
  const next = cards[cards.indexOf(card) + step];
  event.preventDefault();
  next?.focus();
}

// To the nearest tile in that direction. Of all tiles one is a stop of Tab: the one that was visited last.
export function walkTiles(root, event) {
  const way = KEYS[event.key];
  const tile = event.target.closest('.node-tile');
  if (!way || !tile || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const tiles = [...root.querySelectorAll('.node-tile')];
  const next = way[0] ? tiles[tiles.indexOf(tile) + way[0]] : beyond(tiles, tile, way[1]);
  if (!next) return;
  visit(root, next);
  next.focus();
}

export function visit(root, tile) {
  for (const held of root.querySelectorAll('.node-tile[tabindex="0"]')) held.tabIndex = -1;
  tile.tabIndex = 0;
}

// The tile of the next row above or below that stands nearest.
function beyond(tiles, tile, way) {
  const own = tile.getBoundingClientRect();
  const off = (one) => {
    const box = one.getBoundingClientRect();
    const down = (box.top - own.top) * way;
    return down > 1 ? down * 4 + Math.abs(box.left - own.left) : Infinity;
  };
  const best = tiles.reduce((found, one) => (off(one) < found.far ? { one, far: off(one) } : found), { far: Infinity });
  return best.one;
}
