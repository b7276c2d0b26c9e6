// Rows and YAML are two panels of one form. Before the other one opens, the server brings it in step (nothing is saved).
const form = () => document.querySelector('#content-main form');
let sent = '';

const written = () => {
  const data = new URLSearchParams(new FormData(form()));
  data.delete('tab');
  return data.toString();
};

export function startTabs() {
  const tabs = form()?.querySelector('[data-tabs]');
  if (!tabs) return;
  tabs.hidden = false;
  tabs.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other = [...tabs.querySelectorAll('[role=tab]')].find((tab) => tab !== document.activeElement);
    other.click();
  });
  const faulty = form().querySelector('[data-panel=yaml][data-fault]') && !form().querySelector('[data-panel=rows] .errorlist');
  select(faulty ? 'yaml' : form().querySelector('[data-tab]').value);
  sent = written();
}

export async function openTab(name, restart) {
  if (form().querySelector('[data-tab]').value === name) return;
  const opens = written() === sent || (await inStep(name, restart));
  if (opens) select(name);
  form().querySelector('[data-tab-of][aria-selected=true]').focus(); // the form may have been drawn anew
}

function select(name) {
  form().querySelector('[data-tab]').value = name;
  for (const tab of form().querySelectorAll('[data-tab-of]')) {
    const chosen = tab.dataset.tabOf === name;
    tab.setAttribute('aria-selected', chosen);
    tab.tabIndex = chosen ? 0 : -1;
  }
  for (const panel of form().querySelectorAll('[data-panel]')) panel.hidden = panel.dataset.panel !== name;
}

// Whether the form has been drawn anew. A mistake that keeps one side from being read stays where it is, and is told.
async function inStep(name, restart) {
  const data = new FormData(form());
  data.set('_check', '1');
  data.set('tab', name);
  const note = form().querySelector('[data-tabs-note]');
  try {
    const answer = await fetch(location.href, { method: 'POST', body: new URLSearchParams(data), redirect: 'error' });
    const drawn = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#content-main form');
    if (!drawn) throw new Error(`HTTP ${answer.status}`);
    const unread = drawn.querySelector('[data-unread]')?.dataset.unread;
    if (unread) drawn.querySelector('[data-tab]').value = unread;
    form().replaceWith(document.adoptNode(drawn));
    restart();
    return !unread;
  } catch (error) {
    note.textContent = `The server did not answer (${error.message}); nothing is lost. Try again.`;
    return false;
  }
}
