// Amounts as the engine counts them (cpu in milli, all else in units), written as kubectl would: `500m`, `2Gi`, `4`.
const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

export function quantity(resource, amount) {
  if (resource === 'cpu') return amount % 1000 ? `${amount}m` : String(amount / 1000);
  if (resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-')) return bytes(amount);
  return String(amount);
}

// Exact: the largest unit that leaves a whole number.
function bytes(amount) {
  let unit = 0;
  let left = amount;
  if (Math.abs(amount) < 1024) return String(amount);
  while (left % 1024 === 0 && unit < UNITS.length - 1) {
    left /= 1024;
    unit += 1;
  }
  return `${left}${UNITS[unit]}`;
}
