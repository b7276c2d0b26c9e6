// The steps of an explanation as arithmetic: an operation of the engine (scheduler/engine/explain.py) with its figures.
const MEBI = 1 << 20;
const BYTES = new Set(['memory', 'ephemeral-storage']);

const pairs = (inputs) => inputs.flatMap((_, at) => (at % 2 ? [] : [`${inputs[at]} × ${inputs[at + 1]}`]));
const weights = (inputs) => inputs.filter((_, at) => at % 2).join(' + ');
const mean = (inputs) =>
  inputs.length === 2 ? `${inputs[0]}` : `(${pairs(inputs).join(' + ')}) / (${weights(inputs)})`;

const WRITTEN = {
  value: ([a]) => a,
  sum: (inputs) => inputs.join(' + ') || '0',
  add: ([a, b]) => `${a} + ${b}`,
  subtract: ([a, b]) => `${a} − ${b}`,
  multiply: ([a, b]) => `${a} × ${b}`,
  round: ([a]) => `round ${a}`,
  clip: ([a, low, high]) => `${a}, kept within ${low} … ${high}`,
  share_of_range: ([a, low, high]) => `100 × (${a} − ${low}) / (${high} − ${low})`,
  image_share: ([size, nodes, total]) => `${size} × ${nodes} / ${total}`,
  least_allocated: ([requested, capacity]) => `(${capacity} − ${requested}) × 100 / ${capacity}`,
  most_allocated: ([requested, capacity]) => `min(${requested}, ${capacity}) × 100 / ${capacity}`,
  broken_line: ([requested, capacity, shape]) => `${requested} of ${capacity} on the line ${shape}`,
  weighted_mean: mean,
  ratio_mean: mean,
  fraction: ([requested, capacity]) => `${requested} / ${capacity}`,
  deviation: (inputs) =>
    inputs.length === 2 ? `|${inputs[0]} − ${inputs[1]}| / 2` : `deviation of ${inputs.join(', ')}`,
  evenness: ([deviation]) => `(1 − ${deviation}) × 100`,
  domain_weight: ([domains]) => `ln(${domains} + 2)`,
  spread_term: ([pods, weight, skew]) => `${pods} × ${weight} + (${skew} − 1)`,
  within_skew: ([pods, itself, least, most]) => `${pods} + ${itself} − ${least} ≤ ${most}`,
  fits: ([asked, allocatable, requested]) => `${asked} ≤ ${allocatable} − ${requested}`,
};

// `steps`: [{name, op, inputs, result, note}] → [{name, text, result, note}], names of earlier steps as their results.
export function written(steps) {
  const known = new Map();
  return steps.map(({ name, op, inputs, result, note }) => {
    const bytes = BYTES.has(name) && inputs.every((one) => Number.isInteger(one) && one % MEBI === 0);
    const figures = inputs.map((one) => figure(known.has(one) ? known.get(one) : one, bytes));
    known.set(name, result);
    const text = WRITTEN[op] ? WRITTEN[op](figures) : `${op}(${figures.join(', ')})`;
    return { name, text: String(text), result: figure(result), note };
  });
}

export function figure(value, bytes = false) {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value)) return value.map((one) => (Array.isArray(one) ? one.join('→') : figure(one))).join(', ');
  if (typeof value !== 'number') return String(value ?? '');
  if (bytes) return `${value / MEBI}Mi`;
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  return value < 0 ? `(${text.replace('-', '−')})` : text;
}
