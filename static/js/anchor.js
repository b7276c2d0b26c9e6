// A link to a part of a page leads to it also when what stands above is filled in later, until the reader moves.
const SETTLED_MS = 3000;
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

export function startAnchor() {
  const [way] = performance.getEntriesByType('navigation');
  if (!location.hash || way?.type !== 'navigate') return; // going back restores where one was
  const watch = new ResizeObserver(() => document.querySelector('main :target')?.scrollIntoView({ behavior: 'instant' }));
  const stop = () => watch.disconnect();
  for (const move of MOVES) addEventListener(move, stop, { once: true, passive: true, capture: true });
  watch.observe(document.querySelector('main'));
  setTimeout(stop, SETTLED_MS);
}
