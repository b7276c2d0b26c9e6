// Why the score matrix is empty, where it is, and what to look at or do instead.
import { byKeys } from '../keyboard.js';
import { plural } from '../format.js';

export function noteOf(cycle) {
  if (cycle.scoring_skipped) return sentenceCase(cycle.scoring_skipped);
  if (cycle.score_failures) return `${sentenceCase(cycle.score_failures)} The others went on, but there is no total.`;
  if (cycle.rows.names.length) return '';
  if (cycle.outcome === 'error') return 'The attempt ended with an error, so nothing was scored: the message below tells of it.';
  if (cycle.feasible === 0 && (cycle.evaluated > 0 || cycle.outcome !== 'open'))
    return unscored(cycle.node_count);
  if (cycle.outcome === 'open') return 'Scores appear once the filters have run.';
  return 'Nothing was scored in this cycle.';
}

// Where there is no podium either: what to do next, in one sentence.
export function nextOf(cycle) {
  if (cycle.whole) return `After ${cycle.phase} the totals were not known yet${byKeys(': ] turns to the next phase', '')}.`;
  if (cycle.outcome === 'open') return `The totals are not known yet: step on, by a phase${byKeys(' (⇧S)', '')} or to the end${byKeys(' (S)', '')}.`;
  return 'Nothing was scored: look below at what refused the nodes, and on the page of the pod at what would make it fit.';
}

function unscored(nodes) {
  if (nodes > 1) return `None of ${plural(nodes, 'node')} passed the filters, so nothing was scored: the page of the pod says what would make it fit.`;
  return nodes ? 'The only node did not pass the filters, so nothing was scored: the page of the pod says what would make it fit.' : 'There is no node to filter or to score.';
}

const sentenceCase = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
