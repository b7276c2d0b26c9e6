// What is wrong in the YAML is told by its line: the text is turned there, and a press on the number selects the line.
const LINE = /^Line (\d+)(?=:)/;

export function startLines(form) {
  const area = form.querySelector('[data-panel=yaml] textarea');
  if (!area) return;
  const faults = [...form.querySelectorAll('.errorlist li')].filter((one) => LINE.test(one.textContent));
  for (const fault of faults) {
    const text = fault.firstChild;
    const [whole, number] = text.data.match(LINE);
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'to-line', textContent: whole, title: 'Show this line' });
    button.addEventListener('click', () => select(area, Number(number)));
    text.data = text.data.slice(whole.length);
    fault.prepend(button);
  }
  if (faults.length) turn(area, Number(faults[0].firstChild.textContent.split(' ')[1]));
}

function turn(area, line) {
  const height = parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (line - 4) * height);
}

function select(area, line) {
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + lines[line - 1].length);
  turn(area, line);
}
