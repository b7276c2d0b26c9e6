// The map of the nodes as a file: the same squares and headings, in the light theme.
import { s } from './dom.js';

const STYLED = ['fill', 'stroke', 'stroke-width'];
const SCALE = 2;
const MARGIN = 16;

// An SVG element that needs no style sheet.
export function mapPicture(field, title) {
  const box = field.getBoundingClientRect();
  const [width, height] = [Math.ceil(box.width) + 2 * MARGIN, Math.ceil(box.height) + 2 * MARGIN + 24];
  const root = s('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` });
  const scheme = field.style.colorScheme;
  field.style.colorScheme = 'light';
  root.append(s('rect', { width, height, fill: '#ffffff' }), text(title, MARGIN, MARGIN + 12, 'bold'));
  for (const svg of field.querySelectorAll('.node-field-block svg')) root.append(copied(svg, box));
  for (const line of field.querySelectorAll('h2, .node-field-block header > *')) {
    const at = line.getBoundingClientRect();
    root.append(text(line.textContent, at.left - box.left + MARGIN, at.bottom - box.top + MARGIN + 20, line.matches('h2, b') ? 'bold' : ''));
  }
  field.style.colorScheme = scheme;
  return root;
}

function copied(svg, box) {
  const at = svg.getBoundingClientRect();
  const part = s('g', { transform: `translate(${at.left - box.left + MARGIN + 1} ${at.top - box.top + MARGIN + 25})` });
  for (const shape of svg.children) {
    const own = shape.cloneNode();
    const style = getComputedStyle(shape);
    own.removeAttribute('class');
    for (const name of STYLED) own.setAttribute(name, style.getPropertyValue(name));
    part.append(own);
  }
  return part;
}

const text = (words, x, y, weight) => s('text', { x, y, 'font-family': 'sans-serif', 'font-size': 11, 'font-weight': weight || 'normal', fill: '#1b1a18' }, words);

export function save(blob, name) {
  const link = document.createElement('a');
  Object.assign(link, { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const svgBlob = (picture) => new Blob([new XMLSerializer().serializeToString(picture)], { type: 'image/svg+xml' });

// Drawn path by path: an image of an SVG would be one more source to allow.
export function pngBlob(picture) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [picture.getAttribute('width') * SCALE, picture.getAttribute('height') * SCALE];
  const pen = canvas.getContext('2d');
  pen.scale(SCALE, SCALE);
  for (const shape of picture.children) paint(pen, shape);
  return new Promise((done) => { canvas.toBlob(done, 'image/png'); });
}

function paint(pen, shape) {
  const number = (name) => Number(shape.getAttribute(name) ?? 0);
  const [fill, stroke] = [shape.getAttribute('fill') ?? 'none', shape.getAttribute('stroke') ?? 'none'];
  if (shape.tagName === 'g') {
    const [x, y] = shape.getAttribute('transform').match(/-?[\d.]+/g).map(Number);
    pen.save();
    pen.translate(x, y);
    for (const inner of shape.children) paint(pen, inner);
    pen.restore();
  } else if (shape.tagName === 'text') {
    pen.fillStyle = fill;
    pen.font = `${shape.getAttribute('font-weight')} 11px sans-serif`;
    pen.fillText(shape.textContent, number('x'), number('y'));
  } else {
    const path = new Path2D(shape.getAttribute('d') ?? '');
    if (shape.tagName === 'rect') path.rect(number('x'), number('y'), number('width'), number('height'));
    pen.fillStyle = fill;
    pen.strokeStyle = stroke;
    pen.lineWidth = parseFloat(shape.getAttribute('stroke-width')) || 1;
    if (fill !== 'none') pen.fill(path);
    if (stroke !== 'none') pen.stroke(path);
  }
}
