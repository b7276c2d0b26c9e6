// A card that changes its place travels there: measure before, measure after, animate the difference. Never fades.
import { reducedMotion } from './dom.js';

const MOST = 24; // more moves than this are a storm, and nobody can follow them

export function measure(root, selector) {
  if (reducedMotion()) return null;
  const places = new Map();
  for (const node of root.querySelectorAll(selector)) places.set(node.dataset.key, node.getBoundingClientRect());
  return places;
}

export function travel(root, selector, before, view) {
  if (!before) return;
  const moves = [];
  for (const node of root.querySelectorAll(selector)) {
    const from = before.get(node.dataset.key);
    if (!from) continue;
    const to = node.getBoundingClientRect();
    const far = Math.abs(from.left - to.left) + Math.abs(from.top - to.top);
    if (far > 1 && (inside(from, view) || inside(to, view))) moves.push([node, from, to]);
  }
  if (moves.length > MOST) return;
  const duration = Number.parseFloat(getComputedStyle(root).getPropertyValue('--m-move')) || 240;
  for (const [node, from, to] of moves) {
    node.animate([{ translate: `${from.left - to.left}px ${from.top - to.top}px`, zIndex: 3 }, { translate: '0 0', zIndex: 3 }],
      { duration, easing: 'cubic-bezier(.2,0,0,1)' });
  }
}

const inside = (box, view) => box.bottom > view.top && box.top < view.bottom;
