// A form that came back with faults: who sent it goes on at the first field that is wrong, or at what is said of it.
export function startFaults() {
  const [visit] = performance.getEntriesByType('navigation');
  if (!(visit?.responseStatus >= 400) || document.activeElement !== document.body) return;
  const place = ['[aria-invalid="true"]', '[role="alert"]'].map((one) => document.querySelector(`.page ${one}`)).find(Boolean);
  if (!place) return;
  if (!place.matches('input, textarea, select')) place.tabIndex = -1;
  place.focus();
}
