// Small helpers around the DOM: make elements, set only what changed, keep lists by key.
const SVG = 'http://www.w3.org/2000/svg';
const ANNOUNCED_MS = 5000;
const LONG = 28; // letters that a line of a phone holds in the size of headings

export function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

export function s(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

function filled(node, props, children) {
  for (const [name, value] of Object.entries(props)) setProp(node, name, value);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// `onclick` style names add listeners; everything else is an attribute, absent where null, undefined or false.
export function setProp(node, name, value) {
  if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
  else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else {
    const text = value === true ? '' : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

export function setProps(node, props) {
  for (const [name, value] of Object.entries(props)) setProp(node, name, value);
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function icon(name, extra = '') {
  const href = `${document.documentElement.dataset.icons}#i-${name}`;
  return s('svg', { class: `icon ${extra}`.trim(), viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('use', { href }));
}

// A length from 0 to 1.
export function meter(share, kind = '') {
  const width = Math.max(0, Math.min(100, share * 100)).toFixed(1);
  return s(
    'svg',
    { class: 'meter', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    s('rect', { width, height: 10, class: kind || null }),
  );
}

export function setMeter(node, share, kind = '') {
  const width = Math.max(0, Math.min(100, share * 100)).toFixed(1);
  setProps(node.firstElementChild, { width, class: kind || null });
}

// Make the children of `parent` match `items`: nodes are kept by key, moved only where the order changed.
export function keyed(parent, items, keyOf, create, patch) {
  const held = parent.keyedNodes ?? (parent.keyedNodes = new Map());
  const keys = items.map(keyOf);
  const wanted = new Set(keys);
  // Those that go, go first: else every node behind them would be moved, and one that has the focus would lose it.
  for (const [key, node] of held) if (!wanted.has(key)) node.remove();
  const fresh = new Map();
  let place = parent.firstChild;
  items.forEach((item, at) => {
    const node = held.get(keys[at]) ?? create(item);
    if (patch) patch(node, item);
    fresh.set(keys[at], node);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  });
  parent.keyedNodes = fresh;
}

// New children in place of the old; whoever had the focus has it again (by its place among what can have it).
export function redraw(parent, ...children) {
  const focusable = () => [...parent.querySelectorAll('a[href], button, input, select, [tabindex]')];
  const held = parent.contains(document.activeElement) ? focusable().indexOf(document.activeElement) : -1;
  parent.replaceChildren(...children);
  if (held >= 0) focusable()[held]?.focus({ preventScroll: true });
}

// Names in backticks become <code>; nothing else of the text is markup.
export function sentence(text, props = {}) {
  return text.split('`').map((part, at) => (at % 2 ? h('code', { ...props, class: [props.class, part.length > LONG && 'long'].filter(Boolean).join(' ') || null }, parted(part)) : part));
}

// A name that breaks behind its dots and slashes, not at its hyphens; within a part only if no line could hold it.
export function parted(name) {
  if (name.length <= LONG) return [name];
  const parts = name.match(/\s+|[^./\s]+[./]*|[./]+/g);
  return parts.flatMap((part, at) => [at ? h('wbr') : '', part.length > 1 && part.length <= LONG ? h('span', { class: 'nowrap' }, part) : part]);
}

// `NodeResourcesBalancedAllocation` may break between its words.
export const worded = (name) => name.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word, at) => (at ? [h('wbr'), word] : [word]));

export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

// A reader of screens is told what is added, so news that come at once do not push one another out.
export function announce(text) {
  const line = h('p', {}, text);
  document.getElementById('live')?.append(line);
  setTimeout(() => line.remove(), ANNOUNCED_MS);
}
