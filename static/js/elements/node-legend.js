// What the shades and signs of the maps of nodes mean.
import { h, s } from '../dom.js';
import { shadeClass, shades } from './node-shades.js';

export function scale(shade) {
  const steps = Array.from({ length: 11 }, (_, at) => s('rect', { class: shadeClass(at), x: at * 10, width: 10, height: 10 }));
  return h('span', {}, `${shade} requested 0%`, s('svg', { width: 111, height: 10, 'aria-hidden': 'true' }, steps), '100%');
}

// `cell`: as node-shades.js draws it.
export const sign = (cell, text) =>
  h('span', {}, s('svg', { width: 12, height: 12, viewBox: '-1 -1 12 12', 'aria-hidden': 'true' }, shades([cell], 1, 11)), text);

export const OVER = [{ share: 1.1, look: '' }, 'over 100%'];
export const CORDONED = [{ share: 0, look: 'off', slash: true }, 'cordoned'];
export const DOWN = [{ share: 0, look: 'down' }, 'not ready'];
const NONE = [{ share: null, look: '' }, 'offers none'];

export function legend(shade) {
  return h('p', { class: 'node-field-legend label' }, scale(shade), [OVER, CORDONED, DOWN, NONE].map((one) => sign(...one)));
}
