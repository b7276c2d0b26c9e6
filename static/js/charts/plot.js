// The only file that touches Plotly: loads it when first needed, draws once, then reacts. Colours come from tokens.css.
import { paint, shown, wipe } from './first.js';

// The bundled map library adds a style element unless one of this id is there; ours keeps the page's CSP whole.
const MAP_STYLE = '9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53';

let loading = null;
let probe = null;
let looks = null;
const colours = new Map();

export function loadPlotly() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = document.documentElement.dataset.plotly;
    document.head.append(Object.assign(document.createElement('meta'), { id: MAP_STYLE }));
    script.addEventListener('load', () => resolve(globalThis.Plotly));
    script.addEventListener('error', () => {
      loading = null;
      reject(new Error('plotly.js could not be loaded'));
    });
    document.head.append(script);
  });
  return loading;
}

// A custom property as the colour it stands for now (light-dark() resolved). Each is asked for once a theme: asking has
// the browser work out the style of the whole page.
export function token(name) {
  if (!colours.has(name)) colours.set(name, resolved(name));
  return colours.get(name);
}

function resolved(name, scheme = '') {
  probe ??= document.body.appendChild(document.createElement('i'));
  probe.hidden = true;
  probe.style.forcedColorAdjust = 'none'; // a score keeps its shade where the system sets all other colours
  probe.style.colorScheme = scheme;
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

const heatScale = (of) => Array.from({ length: 21 }, (_, at) => [at / 20, of(`--heat-${String(at).padStart(2, '0')}`)]);

// What a figure is drawn with; `mono`: the family of its figures.
export function look() {
  looks ??= { token, heat: heatScale(token), mono: getComputedStyle(document.documentElement).getPropertyValue('--mono') };
  return looks;
}

// The same for what is kept as a file, to be put into documents: light, whatever the page is.
export function lookOfFile() {
  const light = (name) => resolved(name, 'light');
  return { token: light, heat: heatScale(light), mono: 'monospace' };
}

document.addEventListener('themechange', () => {
  colours.clear();
  looks = null;
});

// `figure`: {data, layout}. `on`: {click(point), hover(point), leave()}. Draws are queued, the newest figure wins.
export async function draw(host, figure, on = {}) {
  host.wantedFigure = figure;
  if (!globalThis.Plotly) paint(host, figure);
  if (host.drawing) return host.drawing;
  host.drawing = (async () => {
    // Once it is loaded nothing is awaited before the first react: it asks how large the page is, which is cheap only
    // before this frame's other changes.
    const Plotly = globalThis.Plotly ?? (await shown().then(loadPlotly));
    while (host.wantedFigure) {
      const { data, layout } = host.wantedFigure;
      host.wantedFigure = null;
      if (host.classList.contains('js-plotly-plot')) await Plotly.react(host, data, layout);
      else {
        await Plotly.newPlot(host, data, layout, { displayModeBar: false, responsive: false, doubleClick: false });
        wipe(host);
        listen(host, on);
      }
    }
  })().finally(() => {
    host.drawing = null;
  });
  return host.drawing;
}

function listen(host, on) {
  if (on.click) host.on('plotly_click', (event) => on.click(event.points[0], event.event));
  if (on.hover) host.on('plotly_hover', (event) => on.hover(event.points[0]));
  if (on.leave) host.on('plotly_unhover', on.leave);
}

// A figure as a file, in the colours of `colours` (a look); a PNG at twice the size. `name`: ends on .png or .svg.
export async function downloadImage(figure, name, { width, height, colours }) {
  const Plotly = await loadPlotly();
  const host = document.createElement('div');
  const ground = colours.token('--surface');
  const layout = { ...figure.layout, paper_bgcolor: ground, plot_bgcolor: ground, width, height };
  await Plotly.newPlot(host, figure.data, layout, { staticPlot: true });
  const link = document.createElement('a');
  link.href = await Plotly.toImage(host, { format: name.split('.').pop(), width, height, scale: 2 });
  link.download = name;
  link.click();
  Plotly.purge(host);
}
