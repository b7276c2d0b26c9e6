// Spread constraints by domain and pod affinity by term, of one cycle; the section is hidden where there are none.
import { affinityTables } from './affinity-table.js';
import { spreadTables } from './spread-table.js';

class TopologyTables extends HTMLElement {
  // Where no store drives the page (a pod's page), `data-cycle` names the cycle.
  connectedCallback() {
    if (this.dataset.cycle) this.load(Number(this.dataset.cycle));
  }

  update({ cycle }) {
    const key = `${cycle.number} ${cycle.popped_seq} ${cycle.phase} ${cycle.finished_seq}`;
    if (key === this.asked) return;
    this.asked = key;
    if (leftOut(cycle, 'PodTopologySpread') && leftOut(cycle, 'InterPodAffinity')) this.draw({ spread: [], affinity: [] });
    else this.load(cycle.number);
  }

  async load(number) {
    const { base } = document.documentElement.dataset;
    const asked = this.asked;
    const found = await fetch(`${base}cycles/${number}/topology.json`)
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (asked === this.asked && found) this.draw(found);
  }

  draw(found) {
    this.closest('section').hidden = !found.spread.length && !found.affinity.length;
    this.replaceChildren(...spreadTables(found.spread), ...affinityTables(found));
  }
}

// PreFilter and PreScore say for which pods an algorithm has nothing to do: most need no further question.
function leftOut(cycle, name) {
  const filter = cycle.funnel.find((step) => step.plugin === name);
  const score = cycle.algorithms.find((one) => one.name === name);
  return (!filter || filter.skipped) && (!score || score.state === 'skip' || score.state === 'waiting');
}

customElements.define('topology-tables', TopologyTables);
