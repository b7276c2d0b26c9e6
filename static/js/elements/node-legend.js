// What the shades and signs of the map of nodes mean.
import { h, s } from '../dom.js';
import { shadeClass, shades } from './node-shades.js';

export function legend(shade) {
  const scale = s('svg', { width: 111, height: 10, 'aria-hidden': 'true' }, Array.from({ length: 11 }, (_, at) => s('rect', { class: shadeClass(at), x: at * 10, width: 10, height: 10 })));
  const sign = (cell, text) => h('span', {}, s('svg', { width: 12, height: 12, viewBox: '-1 -1 12 12', 'aria-hidden': 'true' }, shades([cell], 1, 11)), text);
  return h(
    'p',
    { class: 'node-field-legend label' },
    h('span', {}, `${shade} requested 0%`, scale, '100%'),
    sign({ share: 1.1, look: '' }, 'over 100%'),
    sign({ share: 0, look: 'off', slash: true }, 'cordoned'),
    sign({ share: 0, look: 'down' }, 'not ready'),
    sign({ share: null, look: '' }, 'offers none'),
  );
}
