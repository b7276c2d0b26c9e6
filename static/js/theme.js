// Light, dark or as the system has it; kept in this browser. Charts listen for `themechange` on document.
const root = document.documentElement;
const NEXT = { '': 'light', light: 'dark', dark: '' };

export function startTheme() {
  for (const button of document.querySelectorAll('[data-theme-switch]')) {
    button.addEventListener('click', cycleTheme);
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', announce);
  label();
}

export function cycleTheme() {
  const next = NEXT[root.dataset.theme ?? ''];
  if (next) root.dataset.theme = next;
  else delete root.dataset.theme;
  try {
    if (next) localStorage.setItem('podium-theme', next);
    else localStorage.removeItem('podium-theme');
  } catch {
    /* storage is off: the choice lasts for this page */
  }
  announce();
}

function announce() {
  label();
  document.dispatchEvent(new Event('themechange'));
}

function label() {
  const now = root.dataset.theme || 'system';
  for (const button of document.querySelectorAll('[data-theme-switch]')) {
    button.setAttribute('aria-label', `Theme: ${now}`);
    button.title = `Theme: ${now}  ⇧D`;
  }
}
