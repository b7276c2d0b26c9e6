// What a tile calls its node: the whole name where there is room for it, else its part behind what all names share.
const WHOLE_UP_TO = 12; // letters that a tile of usual size holds
const FEW = 64; // nodes; so few may have wider tiles
const WIDEST = 22; // letters

// {whole, letters}: whether names are told whole, and for how many letters a tile needs room.
export function naming(groups) {
  const tiles = groups.flatMap((group) => group.tiles);
  const longest = (name) => tiles.reduce((most, tile) => Math.max(most, tile[name].length), 0);
  const all = longest('name');
  const whole = all <= WHOLE_UP_TO || (tiles.length <= FEW && all <= WIDEST);
  return { whole, letters: Math.min(WIDEST, whole ? all : longest('short')) };
}
