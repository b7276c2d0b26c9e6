// What stands left and right of a row of cells: rank, node and zone; total and its bar.
import { h, meter, setMeter, setProp, setProps, setText } from '../dom.js';
import { ranks, scaleOf } from '../scores.js';

const memo = new WeakMap();

function rankOf(cycle, sums, row) {
  if (cycle.rows.rank && sums.final) return cycle.rows.rank[row];
  if (!sums.totals) return '';
  if (!memo.has(sums.totals)) memo.set(sums.totals, ranks(sums.totals));
  return memo.get(sums.totals)[row];
}

// `zone-b` beside node names is told by its last part.
const shortZone = (zone) => zone.slice(Math.max(zone.lastIndexOf('-'), zone.lastIndexOf('/')) + 1);

export function labelRow(node, cycle, row, sums, base) {
  if (!node)
    return h(
      'div',
      { class: 'score-matrix-node', role: 'listitem' },
      h('span', { class: 'rank' }),
      h('a', { class: 'clip' }),
      h('span', { class: 'zone' }),
    );
  const [rank, link, zone] = node.children;
  const name = cycle.rows.names[row];
  const binned = cycle.rows.bins[row] > 1;
  setText(rank, binned ? '' : String(rankOf(cycle, sums, row)));
  setText(link, binned ? `ranks ${name}` : name);
  setProp(link, 'href', binned ? null : `${base}nodes/${name}/`);
  setText(zone, shortZone(cycle.rows.zones[row]));
  setProp(zone, 'title', cycle.rows.zones[row]);
  setProps(node, { 'data-node': name, 'data-state': stateOf(cycle, row, sums.totals) });
  return node;
}

export function totalRow(node, cycle, row, sums) {
  if (!node) return h('div', { class: 'score-matrix-total', role: 'listitem' }, h('button', { class: 'cell-open', type: 'button', tabindex: '-1', title: 'What this total is made of' }), meter(0));
  const [figure, bar] = node.children;
  const total = sums.totals?.[row];
  const state = stateOf(cycle, row, sums.totals);
  setText(figure, total === undefined ? '' : String(total));
  setProp(figure, 'aria-label', total === undefined ? null : `${cycle.rows.names[row]}, total: ${total}`);
  setMeter(bar, total === undefined ? 0 : total / scaleOf(cycle), state === 'win' ? 'm-acc' : '');
  setProps(node, { 'data-state': state, 'data-node': cycle.rows.bins[row] > 1 ? null : cycle.rows.names[row] });
  return node;
}

// All that are tied, though only the first of them are named by the cycle.
function stateOf(cycle, row, totals) {
  const name = cycle.rows.names[row];
  if (name === cycle.winner) return 'win';
  if (!cycle.tie) return null;
  const best = totals?.[cycle.rows.names.indexOf(cycle.winner)];
  return cycle.tie.nodes.includes(name) || (best !== undefined && totals[row] === best) ? 'tie' : null;
}
