// Why the score matrix is empty, where it is.
import { plural } from '../format.js';

export function noteOf(cycle) {
  if (cycle.scoring_skipped) return sentenceCase(cycle.scoring_skipped);
  if (cycle.rows.names.length) return '';
  if (cycle.feasible === 0 && (cycle.evaluated > 0 || cycle.outcome !== 'open'))
    return `None of ${plural(cycle.node_count, 'node')} passed the filters, so nothing was scored.`;
  if (cycle.outcome === 'open') return 'Scores appear once the filters have run.';
  return 'Nothing was scored in this cycle.';
}

const sentenceCase = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
