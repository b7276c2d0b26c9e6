// The patterns page: every element in every state, drawn by itself from recorded data.
import { h } from '../dom.js';
import { Store, initial } from '../store.js';
import { cycleSections } from '../patterns/attempts.js';
import { fixSections } from '../patterns/fixes.js';
import { frameSections } from '../patterns/frame.js';
import { nodeSections } from '../patterns/nodes.js';
import { queueSections } from '../patterns/queues.js';

const sample = JSON.parse(document.getElementById('sample').textContent);
const server = { ...sample.board, flow: sample.flow, rules: sample.rules };
const ROOM = { base: '#', live: null }; // links of specimens lead nowhere

const begun = []; // what elements do once they stand in the page
const makers = { frame: frameSections, queues: queueSections, nodes: nodeSections, cycles: (given) => [...fixSections(), ...cycleSections(given)] };
for (const [name, sections] of Object.entries(makers))
  document.querySelector(`[data-patterns="${name}"]`).append(...sections(sample).map(section));
for (const begin of begun) begin();

// What would be sent or gone to is not, and neither is anything else that such a specimen hears.
for (const type of ['click', 'change', 'pointerdown'])
  document.addEventListener(type, (event) => event.target.closest?.('[data-still]') && stop(event), { capture: true });
document.addEventListener('click', (event) => event.target.closest('.specimen a, [data-still] a') && event.preventDefault());

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function section({ title, note, specimens, wide = false, columns = '', section: own = false }) {
  const id = `p-${title.replaceAll(/\W+/g, '-')}`;
  const body = h('div', { class: 'pattern-body', 'data-columns': columns || null });
  const made = h(
    'section',
    { class: `sheet pattern${wide ? ' pattern-wide' : ''}`, id, 'aria-labelledby': `${id}-h` },
    h('header', { class: 'sheet-head' }, h('h3', { id: `${id}-h`, class: 'mono' }, title), h('span', { class: 'dim' }, note)),
    body,
  );
  body.append(...specimens.map((one) => specimen({ ...one, own })));
  return made;
}

// `own`: of elements that look for the section around them, to hide it.
function specimen({ text, make, tag, looks, props = {}, state = {}, ui = {}, still = false, draw, own }) {
  const box = h(own ? 'section' : 'div', { class: 'specimen', 'data-still': still }, h('p', { class: 'label' }, text));
  if (make) {
    box.append(make());
    return box;
  }
  const store = new Store({ ...initial(server, ui), past: false, explained: null, ...state });
  const element = h(tag, { class: looks ?? null, ...props });
  box.append(element);
  begun.push(() => {
    element.start?.(store, ROOM);
    if (draw) return draw(element);
    // Some hold others, as the board does.
    const panels = [element, ...element.querySelectorAll('*')].filter((one) => one.update);
    for (const panel of panels.slice(1)) panel.start?.(store, ROOM);
    const update = () => panels.forEach((panel) => panel.update(store.state));
    store.addEventListener('change', update);
    return update();
  });
  return box;
}
