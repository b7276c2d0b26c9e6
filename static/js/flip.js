// A card that changes its place travels there: measure before, measure after, animate the difference. Never fades.
import { reducedMotion } from './dom.js';

const MOST = 8; // more moves than this are a storm, and nobody can follow them

// Where the cards of `keys` stand now; null where nothing is to be animated.
export function measure(root, keys) {
  if (!keys.length || keys.length > MOST || reducedMotion()) return null;
  const cards = keys.map((key) => [key, root.querySelector(`[data-key="${CSS.escape(key)}"]`)]);
  return new Map(cards.filter(([, card]) => card).map(([key, card]) => [key, card.getBoundingClientRect()]));
}

export function travel(root, before) {
  if (!before) return;
  const view = root.getBoundingClientRect();
  const duration = Number.parseFloat(getComputedStyle(root).getPropertyValue('--m-move')) || 240;
  const cards = [...before].map(([key, from]) => [root.querySelector(`[data-key="${CSS.escape(key)}"]`), from]);
  const moves = cards.map(([card, from]) => [card, from, card?.getBoundingClientRect()]); // all, before the first is animated
  for (const [card, from, to] of moves) {
    if (!to || !(inside(from, view) || inside(to, view))) continue;
    card.animate(
      [
        { translate: `${from.left - to.left}px ${from.top - to.top}px`, zIndex: 3 },
        { translate: '0 0', zIndex: 3 },
      ],
      { duration, easing: 'cubic-bezier(.2,0,0,1)' },
    );
  }
}

const inside = (box, view) => box.bottom > view.top && box.top < view.bottom;
