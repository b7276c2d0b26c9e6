// Runs before the first paint, so that a chosen theme does not flash. The only classic script.
try {
  const theme = localStorage.getItem('podium-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  /* storage is off: the system decides */
}
