// Beside a node's allocatable resources: a warning where one is more than its capacity.
import { compared } from './amount.js';

const MEANS = 'The scheduler looks at allocatable alone and would place pods up to it; a real kubelet never offers more than its capacity.';

const amounts = (rows) => new Map([...rows.querySelectorAll('[data-row]')].map((row) => [...row.querySelectorAll('input[type=text]')].map((input) => input.value.trim())));

export function startOver() {
  const [allocatable, capacity] = ['allocatable', 'capacity'].map((name) => document.querySelector(`#id_${name}[data-rows]`));
  if (!allocatable || !capacity) return;
  const note = Object.assign(document.createElement('p'), { className: 'help over-capacity', role: 'status', hidden: true });
  allocatable.after(note);
  const look = () => {
    const has = amounts(capacity);
    const over = [...amounts(allocatable)].filter(([name, amount]) => has.has(name) && compared(amount, has.get(name)) > 0);
    note.hidden = !over.length;
    note.textContent = over.length ? `More than the node has: ${over.map(([name, amount]) => `${name} ${amount}, capacity ${has.get(name)}`).join('; ')}. ${MEANS}` : '';
  };
  for (const rows of [allocatable, capacity]) for (const kind of ['input', 'click']) rows.addEventListener(kind, look);
  look();
}
