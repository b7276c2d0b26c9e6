// Tabs of evidence: one panel at a time, its name in the address; arrow keys walk, as the pattern for tabs asks.
import { setQuery } from './query.js';

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

export function startTabs(list) {
  const tabs = [...list.querySelectorAll('[role=tab]')];
  const open = (tab, focus = true) => {
    for (const one of tabs) {
      const chosen = one === tab;
      one.setAttribute('aria-selected', String(chosen));
      one.tabIndex = chosen ? 0 : -1;
      document.getElementById(one.getAttribute('aria-controls')).hidden = !chosen;
    }
    setQuery({ tab: tab === tabs[0] ? '' : tab.id.slice('tab-'.length) });
    if (focus) tab.focus();
  };
  list.addEventListener('click', (event) => {
    const tab = event.target.closest('[role=tab]');
    if (!tab || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    open(tab);
  });
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement);
    if (at < 0) return;
    const next = { Home: 0, End: tabs.length - 1 }[event.key] ?? at + (STEPS[event.key] ?? 0);
    if (next === at && event.key !== ' ') return;
    event.preventDefault();
    open(tabs[(next + tabs.length) % tabs.length]);
  });
  // A link to a place within a panel opens that panel.
  const aim = location.hash && document.getElementById(location.hash.slice(1))?.closest('[role=tabpanel]');
  const tab = aim && tabs.find((one) => one.getAttribute('aria-controls') === aim.id);
  if (tab) {
    open(tab, false);
    document.getElementById(location.hash.slice(1)).scrollIntoView();
  }
  return (key) => {
    const tab = tabs.find((one) => one.id === `tab-${key}`);
    if (tab) open(tab);
  };
}
