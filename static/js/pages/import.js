// The import page: drop a file, see it being sent. Without this script the form works as any form does.
import { startCopying } from '../copy.js';
import { announce, setMeter } from '../dom.js';
import { takeDrops } from '../drop.js';

const MIB = 1 << 20;
const form = document.querySelector('[data-import-form]');
const zone = form.querySelector('[data-drop-zone]');
const file = form.elements.file;
const name = form.elements.name;

startCopying();

takeDrops(zone, file, () => {
  propose();
  announce(`${file.files[0].name} chosen`);
});
file.addEventListener('change', propose);

function propose() {
  if (!file.files.length) return;
  const stem = file.files[0].name.split('.')[0].toLowerCase();
  name.placeholder = stem.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 55) || 'cluster';
}

form.addEventListener('submit', (event) => {
  if (!file.files.length) return;
  event.preventDefault();
  send();
});

function send() {
  const request = new XMLHttpRequest();
  request.open('POST', form.action);
  request.setRequestHeader('Accept', 'application/json');
  request.responseType = 'json';
  request.upload.addEventListener('progress', (event) => shown(event.loaded, event.total));
  request.addEventListener('load', () => answered(request));
  request.addEventListener('error', () => failed('The connection was lost. Try again.'));
  working(true);
  request.send(new FormData(form));
}

function answered(request) {
  const answer = request.response;
  if (answer?.ok) location.href = answer.url;
  else if (request.status === 413) failed('This file is too large for this server. Compress it with gzip.');
  else if (answer?.errors) failed(Object.values(answer.errors).flat().map((error) => error.message).join(' '));
  else failed(answer?.error ?? 'The server did not take the file. Reload this page and try again.');
}

function shown(loaded, total) {
  const text = form.querySelector('[data-upload-text]');
  text.textContent = loaded < total
    ? `Sending: ${(loaded / MIB).toFixed(1)} of ${(total / MIB).toFixed(1)} MiB` : 'Sent; the server is storing it';
  setMeter(form.querySelector('[data-upload] svg'), total ? loaded / total : 0, 'm-acc');
}

function working(on) {
  form.querySelector('[data-upload]').hidden = !on;
  form.querySelector('[data-upload-error]').hidden = true;
  form.querySelector('[type=submit]').disabled = on;
}

function failed(sentence) {
  working(false);
  const place = form.querySelector('[data-upload-error]');
  place.textContent = sentence;
  place.hidden = false;
}
