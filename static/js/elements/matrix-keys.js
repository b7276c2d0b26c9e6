// The keys of the score matrix.
import { bind, tell } from '../keys.js';
import { LAYERS } from './matrix-tools.js';

// `ui(change)` tells the store.
export function bindKeys(matrix, ui) {
  LAYERS.forEach(([layer, text], at) => bind(String(at + 1), `layer: ${text.toLowerCase()}`, () => ui({ layer })));
  bind('T', 'heatmap or table', () => ui({ view: matrix.store.state.ui.view === 'table' ? 'heatmap' : 'table' }));
  bind('M', 'walk over the cells of the matrix', () => matrix.spot().focus());
  tell('↑ ↓ ← →', 'in the matrix: from cell to cell and on to the total, Home and End along the row');
  tell('Enter', 'in the matrix: explain the cell, or the total');
  tell('Esc', 'close what is open, leave the matrix');
  bind(matrix.large ? '/' : 'F', 'find a node in the matrix', () => matrix.tools.find.focus());
}
