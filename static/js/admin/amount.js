// What a quantity stands for, as scheduler/admin/amounts.py tells it: exact, by whole numbers alone.
const QUANTITY = /^([+-]?)(\d+\.?\d*|\.\d*)(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?\d+)?$/;
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BYTES = ['memory', 'ephemeral-storage', 'storage'];
const MOST = 2n ** 63n - 1n; // the API server counts no further
const NEGATIVE = 'less than 0';
const NOT_ONE = 'not a quantity';

export function parsedAmount(resource, text) {
  const match = QUANTITY.exec(text);
  if (!match || Math.abs(exponent(match[3])) > 30) return NOT_ONE;
  if (match[1] === '-' && scaled(match, 10n ** 9n)) return NEGATIVE;
  if (resource === 'cpu') return `${decimal(scaled(match, 1000n))} CPU`;
  const units = grouped(scaled(match, 1n));
  const name = resource.replace(/^(requests|limits)\./, '');
  return BYTES.includes(name) || name.startsWith('hugepages-') ? `${units} bytes` : units;
}

// How two quantities compare: below 0, 0 or above 0; null where one of them is none.
export function compared(first, second) {
  const [one, other] = [first, second].map((text) => QUANTITY.exec(text));
  if ([one, other].some((match) => !match || match[1] === '-' || Math.abs(exponent(match[3])) > 30)) return null;
  const [left, right] = [scaled(one, 10n ** 9n), scaled(other, 10n ** 9n)];
  return left < right ? -1 : Number(left > right);
}

const exponent = (suffix = '') => DECIMAL[suffix] ?? (/^[eE][+-]?\d/.test(suffix) ? Number(suffix.slice(1)) : 0);

// The amount times `factor`, rounded away from zero.
function scaled([, , digits, suffix = ''], factor) {
  const [whole, fraction = ''] = digits.split('.');
  const power = exponent(suffix) - fraction.length;
  const binary = BINARY.indexOf(suffix) + 1;
  const above = BigInt(whole + fraction || '0') * factor * 1024n ** BigInt(binary) * 10n ** BigInt(Math.max(power, 0));
  const below = 10n ** BigInt(Math.max(-power, 0));
  const most = MOST * below;
  return ((above < most ? above : most) + below - 1n) / below;
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

function decimal(milli) {
  const rest = String(milli % 1000n).padStart(3, '0').replace(/0+$/, '');
  return `${grouped(milli / 1000n)}${rest && `.${rest}`}`;
}
