// The first picture of a figure, painted at once while the browser still reads the charts' code, which takes it a second.
// Cells, figures, hatches and rings as Plotly will draw them; the bars of the totals come with it.
export function paint(host, { data, layout }) {
  let canvas = host.querySelector('canvas.plot-first');
  if (!canvas) {
    canvas = document.createElement('canvas');
    canvas.className = 'plot-first';
    host.append(canvas);
  }
  const { width, height } = layout;
  const fine = globalThis.devicePixelRatio || 1;
  Object.assign(canvas, { width: Math.round(width * fine), height: Math.round(height * fine) });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext('2d');
  pen.scale(fine, fine);
  const [left, right] = layout.xaxis.range;
  const [bottom, top] = layout.yaxis.range;
  const place = {
    x: (x) => ((x - left) / (right - left)) * width,
    y: (y) => ((y - top) / (bottom - top)) * height,
  };
  for (const trace of data) {
    if (trace.type === 'heatmap') cells(pen, trace, place);
    else if (trace.marker?.pattern) hatches(pen, trace, place, fine);
    else if (trace.mode === 'text') figures(pen, trace, place, layout.font);
  }
  for (const ring of layout.shapes) outline(pen, ring, place);
}

export const wipe = (host) => host.querySelector('canvas.plot-first')?.remove();

// After the browser has loaded the page and shown what is there.
export async function shown() {
  if (document.readyState !== 'complete') await new Promise((done) => addEventListener('load', done, { once: true }));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

function cells(pen, { z, colorscale, zmin, zmax, xgap, ygap, opacity }, place) {
  pen.globalAlpha = opacity;
  z.forEach((line, y) =>
    line.forEach((value, x) => {
      if (value === null) return;
      const [at, top] = [place.x(x - 0.5), place.y(y - 0.5)];
      pen.fillStyle = colour(colorscale, (value - zmin) / (zmax - zmin));
      pen.fillRect(
        at + xgap / 2,
        top + ygap / 2,
        place.x(x + 0.5) - at - xgap,
        place.y(y + 0.5) - top - ygap,
      );
    }),
  );
  pen.globalAlpha = 1;
}

export const colour = (scale, share) => scale[Math.round(Math.min(1, Math.max(0, share)) * (scale.length - 1))][1];

function figures(pen, { x, y, text, textfont }, place, font) {
  Object.assign(pen, { font: `${font.size}px ${font.family}`, textAlign: 'center', textBaseline: 'middle' });
  pen.fillStyle = textfont.color;
  text.forEach((words, at) => pen.fillText(words, place.x(x[at]), place.y(y[at])));
}

// One small tile, repeated by the browser: a column of 500 rows costs no more than one of five.
function hatches(pen, { x, y, base, width, marker }, place, fine) {
  const { size, solidity, fgcolor } = marker.pattern;
  const tile = document.createElement('canvas');
  tile.width = tile.height = Math.round(size * fine);
  const line = tile.getContext('2d');
  line.scale(tile.width / size, tile.width / size);
  Object.assign(line, { strokeStyle: fgcolor, lineWidth: size * solidity });
  line.beginPath();
  for (const shift of [-size, 0, size]) {
    line.moveTo(shift - 1, size + 1);
    line.lineTo(shift + size + 1, -1);
  }
  line.stroke();
  pen.save();
  pen.scale(1 / fine, 1 / fine); // the tile is in the screen's own pixels
  pen.fillStyle = pen.createPattern(tile, 'repeat');
  x.forEach((at, nth) => {
    const [left, top] = [place.x(at - width / 2), place.y(base)];
    pen.fillRect(left * fine, top * fine, (place.x(at + width / 2) - left) * fine, (place.y(base + y[nth]) - top) * fine);
  });
  pen.restore();
}

function outline(pen, { x0, x1, y0, y1, line }, place) {
  Object.assign(pen, { strokeStyle: line.color, lineWidth: line.width });
  pen.strokeRect(place.x(x0), place.y(y0), place.x(x1) - place.x(x0), place.y(y1) - place.y(y0));
}
