// Where the groups of the map lie: side by side in one line if they fit, each as wide as it has nodes, else below each other.
const GAP = 16;
const EDGE = 2; // around the squares of a group
const LEAST_PX = 92; // of a group: what its heading needs
const PITCHES = [[12, 44], [120, 26], [500, 18]]; // up to so many nodes, squares of that size
const USUAL = 11;

export const pitchFor = (nodes) => (PITCHES.find(([most]) => nodes <= most) ?? [0, USUAL])[1];

// Columns of each group, for groups of `counts` nodes in `width` px. Gives null where they do not fit side by side.
export function sideBySide(counts, width, pitch) {
  const least = Math.ceil(LEAST_PX / pitch);
  const room = Math.floor((width - (GAP + EDGE) * counts.length) / pitch);
  if (room < least * counts.length) return null;
  const columns = (rows) => counts.map((count) => Math.max(least, Math.ceil(count / rows)));
  const sum = (list) => list.reduce((all, one) => all + one, 0);
  let rows = Math.max(1, Math.ceil(sum(counts) / room));
  while (sum(columns(rows)) > room) rows += 1;
  return columns(rows);
}

// The same, each group on lines of its own or as wide as it is high.
export function below(counts, width, pitch) {
  const room = Math.max(1, Math.floor((width - EDGE) / pitch));
  const least = Math.min(room, Math.ceil(LEAST_PX / pitch));
  return counts.map((count) => Math.min(room, Math.max(least, counts.length > 6 ? Math.ceil(Math.sqrt(count * 2)) : room)));
}

export const across = (counts, width, pitch) => sideBySide(counts, width, pitch) ?? below(counts, width, pitch);

// Where a key leads from node `at`; blocks: [{first, count, columns}]. Gives null for a key that leads nowhere.
export function walked(key, at, blocks) {
  const number = blocks.findLastIndex((block) => block.first <= at);
  const { columns } = blocks[number];
  const end = blocks.at(-1).first + blocks.at(-1).count - 1;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  if (step) return Math.max(0, Math.min(end, at + step));
  if (key === 'PageDown') return blocks[Math.min(number + 1, blocks.length - 1)].first;
  if (key === 'PageUp') return blocks[Math.max(0, number - 1)].first;
  return { Home: 0, End: end }[key] ?? null;
}
