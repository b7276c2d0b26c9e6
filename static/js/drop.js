// A file that is dropped on a zone becomes the file of its form.
export function takeDrops(zone, field, taken) {
  for (const kind of ['dragenter', 'dragover']) {
    zone.addEventListener(kind, (event) => { event.preventDefault(); zone.dataset.state = 'over'; });
  }
  for (const kind of ['dragleave', 'drop']) zone.addEventListener(kind, () => { delete zone.dataset.state; });
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    field.files = event.dataTransfer.files;
    taken();
  });
}
