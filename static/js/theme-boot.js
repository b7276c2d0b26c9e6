// Runs before the first paint, so that a chosen theme does not flash. The only classic script.
try {
  const theme = localStorage.getItem('podium-theme');
  const contrast = localStorage.getItem('podium-contrast');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (contrast === 'more' || contrast === 'normal') document.documentElement.dataset.contrast = contrast;
} catch {
  /* storage is off: the system decides */
}
