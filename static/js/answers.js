// The tiles of the map with the answers to the picked pod in place of the cycle's verdicts. Pure.
import { count, plural } from './format.js';

// `answers`: Answers of dashboard/payloads/answers.py. Gives another map with the same zones and nodes.
export function answered(map, answers) {
  if (!answers || answers.error) return map;
  const refused = new Map(
    answers.refused.flatMap(({ nodes, word, own, plugin, reason, more }) =>
      nodes.map((name, at) => [name, { word, own, plugin, reason, more: more[at] ?? 0 }]),
    ),
  );
  const groups = map.groups.map((group) => ({ ...group, tiles: group.tiles.map((tile) => judged(tile, refused.get(tile.name))) }));
  return { ...map, groups };
}

// A node that takes the pod keeps its look. `full`: all that the tile's title says of a refusal.
function judged({ lead: _, tie: __, ...tile }, refusal) {
  if (!refusal) return { ...tile, verdict: '' };
  const { word, own, plugin, reason, more } = refusal;
  const unnamed = own - 1 + more; // the word names one alone
  const further = more ? `, and ${plural(more, 'more reason')}` : '';
  return { ...tile, verdict: unnamed ? `${word}, ${unnamed} more` : word, full: `${plugin}: ${reason}${further}` };
}

// What is said of the pod, after its name; names stand in backticks, what decides in **.
export function answerWords({ feasible, node_count: nodes, error, because }) {
  if (error) return `cannot be answered: ${error}`;
  if (feasible) return `would fit on ${count(feasible)} of ${plural(nodes, 'node')} now`;
  return `would fit on none of ${plural(nodes, 'node')} now${because ? `: ${because}` : ''}`;
}
