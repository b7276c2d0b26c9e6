// Amounts as the engine counts them (cpu in milli, all else in units), written as kubectl would: `500m`, `2Gi`, `4`.
const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

export const quantity = (resource, amount) => together(resource, amount)[0];

// Amounts that stand side by side, exact: all in the largest unit that leaves each a whole number.
export function together(resource, ...amounts) {
  if (resource === 'cpu') {
    const whole = amounts.every((amount) => amount % 1000 === 0);
    return amounts.map((amount) => (whole || !amount ? String(amount / 1000) : `${amount}m`));
  }
  if (resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-')) return bytes(amounts);
  return amounts.map(String);
}

function bytes(amounts) {
  let unit = 0;
  while (unit < UNITS.length - 1 && amounts.some(Boolean) && amounts.every((amount) => amount % 1024 ** (unit + 1) === 0)) unit += 1;
  return amounts.map((amount) => (amount ? `${amount / 1024 ** unit}${UNITS[unit]}` : '0'));
}
