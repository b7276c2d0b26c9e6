// Amounts as the engine counts them (cpu in milli, all else in units), written as kubectl would: `500m`, `2Gi`, `4`.
const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

// How amounts are written that are to be compared, exact: in the largest unit that leaves each of these a whole number.
export function inOneUnit(resource, amounts) {
  const [size, suffix] = unitOf(resource, amounts);
  return (amount) => (amount ? `${amount / size}${suffix}` : '0');
}

function unitOf(resource, amounts) {
  if (resource === 'cpu') return amounts.every((amount) => amount % 1000 === 0) ? [1000, ''] : [1, 'm'];
  if (!(resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-'))) return [1, ''];
  let unit = 0;
  while (unit < UNITS.length - 1 && amounts.some(Boolean) && amounts.every((amount) => amount % 1024 ** (unit + 1) === 0)) unit += 1;
  return [1024 ** unit, UNITS[unit]];
}
