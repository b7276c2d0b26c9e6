// Amounts as the engine counts them (cpu in milli, all else in units), written as on the rest of a page: `500m`, `2Gi`, `4`.
const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const MILLI = 1000;
const GIBI = 3;
const MOST = 9999; // what is still read as a whole number

// How amounts are written that are to be compared, all in one unit: of cpu whole ones and parts of them, thousandths
// only where all are less than one; bytes in the unit of the largest if two digits are enough, else as whole numbers of
// four digits, else rounded.
export function inOneUnit(resource, amounts) {
  const most = Math.max(...amounts);
  if (resource === 'cpu') return most < MILLI ? (amount) => (amount ? `${amount}m` : '0') : (amount) => String(amount / MILLI);
  if (!(resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-'))) return String;
  const largest = largestUnit(most);
  if (amounts.every((amount) => Number.isInteger((amount * 100) / 1024 ** largest))) return (amount) => about(amount, largest);
  const unit = exactUnit(amounts);
  if (most / 1024 ** unit <= MOST) return (amount) => (amount ? `${amount / 1024 ** unit}${UNITS[unit]}` : '0');
  return (amount) => about(amount, largest);
}

function exactUnit(amounts) {
  let unit = 0;
  while (unit < UNITS.length - 1 && amounts.some(Boolean) && amounts.every((amount) => amount % 1024 ** (unit + 1) === 0)) unit += 1;
  return unit;
}

// A few Ti are told in Gi, as nodes are.
const largestUnit = (most) => Math.max(0, UNITS.findLastIndex((_, unit) => most >= (unit > GIBI ? 8 : 1) * 1024 ** unit));

function about(amount, unit) {
  if (!amount) return '0';
  const size = amount / 1024 ** unit;
  const rounded = Math.round(size * 100) / 100;
  if (!rounded) return `<0.01${UNITS[unit]}`;
  return `${rounded === size ? '' : '≈'}${rounded}${UNITS[unit]}`;
}
