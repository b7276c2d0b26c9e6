// The tour of the board: six notes beside real parts of the page, which stays usable meanwhile. Shown once by itself.
import { h, icon, setText } from './dom.js';
import { offer } from './keys.js';
import { fresh, leave, left, remember } from './tour-kept.js';
import { beside, present, wordsOf } from './tour-steps.js';

const PAUSE_MS = 250; // parts come and go while the page lives: how often the note looks where its part is
let tour = null;

export function startTour() {
  const home = document.documentElement.dataset.base ?? document.querySelector('main a[href^="/c/"]')?.getAttribute('href');
  for (const button of document.querySelectorAll('[data-tour-open]')) button.hidden = !home;
  if (!home) return;
  document.addEventListener('click', ({ target }) => target.closest?.('[data-tour-open]') && begin(home));
  offer('take the tour of the board', () => begin(home));
  const asked = location.hash === '#tour';
  if (asked) history.replaceState(history.state, '', location.pathname + location.search);
  const at = isBoard() ? left() : null;
  if (!isBoard() || !(asked || at !== null || fresh())) return;
  const show = () => open(at ?? 0);
  if (document.readyState === 'complete') show();
  else addEventListener('load', () => setTimeout(show), { once: true });
}

const isBoard = () => Boolean(document.querySelector('queue-lanes'));

function begin(home) {
  if (!isBoard()) location.href = `${home}#tour`;
  else open();
}

function open(at = 0) {
  document.querySelector('dialog:modal')?.close();
  tour ??= new Tour();
  tour.show(at);
}

function seen(selector) {
  return [...document.querySelectorAll(selector)].find((one) => one.checkVisibility() && one.getBoundingClientRect().width > 0) ?? null;
}

// Whether a part of it lies beyond the pane or the window around it; what stands there already is not moved.
function hidden(element) {
  const { top, bottom } = element.getBoundingClientRect();
  const pane = element.closest('.pane-body')?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  return top < pane.top - 2 || bottom > pane.bottom + 2;
}

class Tour {
  constructor() {
    this.title = h('h2', { id: 'tour-title' });
    this.text = h('p', { id: 'tour-text' });
    this.figure = h('span', { class: 'dim' });
    this.back = h('button', { class: 'button', type: 'button', onclick: (event) => this.press(event, -1) }, 'Back');
    this.next = h('button', { class: 'button button-primary', type: 'button', onclick: (event) => this.press(event, 1) });
    const close = h('button', { class: 'button button-quiet button-icon', type: 'button', 'aria-label': 'End the tour', 'data-dialog-close': true }, icon('cross'));
    this.ring = h('div', { class: 'tour-ring', 'aria-hidden': 'true', hidden: true });
    this.dialog = h(
      'dialog',
      { class: 'tour', tabindex: '-1', 'aria-labelledby': 'tour-title', 'aria-describedby': 'tour-text', onkeydown: (event) => this.key(event), onclose: () => this.closed() },
      h('div', { class: 'tour-head' }, this.title, close),
      h('div', { 'aria-live': 'polite' }, this.text),
      h('div', { class: 'tour-foot' }, this.figure, h('span', { class: 'push' }), this.back, this.next),
    );
    document.body.append(this.ring, this.dialog);
    addEventListener('pagehide', () => this.dialog.open && leave(this.at));
    for (const name of ['scroll', 'resize']) addEventListener(name, () => this.put(), { capture: true, passive: true });
  }

  show(at) {
    this.before = document.activeElement;
    this.at = at;
    remember();
    if (!this.dialog.open) this.dialog.show();
    clearInterval(this.timer);
    this.timer = setInterval(() => this.put(), PAUSE_MS);
    this.draw();
    this.dialog.focus({ preventScroll: true }); // not a button: Space is to run, as the tour says
  }

  // After a click Space runs; who walks by keys stays on the button.
  press(event, by) {
    this.go(by);
    if (event.detail && this.dialog.open) this.dialog.focus({ preventScroll: true });
  }

  go(by) {
    const steps = present(seen);
    if (this.at + by >= steps.length) return this.dialog.close();
    this.at = Math.max(0, this.at + by);
    this.draw();
    // A button that has just been switched off would drop the focus.
    if (this.back.disabled) this.next.focus({ preventScroll: true });
  }

  draw() {
    const steps = present(seen);
    if (!steps.length) return this.dialog.close();
    this.at = Math.min(this.at, steps.length - 1);
    const { step, element } = steps[this.at];
    this.step = step;
    const guest = step.guest && document.documentElement.dataset.write !== 'yes' ? ` ${step.guest}` : '';
    const words = wordsOf(step, element);
    setText(this.title, words.title);
    setText(this.text, words.text + guest);
    setText(this.figure, `${this.at + 1} of ${steps.length}`);
    setText(this.next, this.at === steps.length - 1 ? 'Done' : 'Next');
    this.back.hidden = this.back.disabled = this.at === 0;
    if (hidden(element)) element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    this.put();
  }

  // The part may have been drawn anew, or gone, since.
  put() {
    if (!this.dialog.open) return;
    const part = this.step.at.map(seen).find(Boolean);
    this.ring.hidden = !part;
    if (!part) return;
    const rect = part.getBoundingClientRect();
    const { width, height } = this.dialog.getBoundingClientRect();
    const { x, y } = beside(rect, { width, height }, { width: document.documentElement.clientWidth, height: innerHeight });
    this.dialog.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
    Object.assign(this.ring.style, { translate: `${rect.left}px ${rect.top}px`, width: `${rect.width}px`, height: `${rect.height}px` });
  }

  key(event) {
    if (event.key === 'Enter' && event.target === this.dialog) return this.go(1);
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    if (by > 0 && this.next.textContent === 'Done') return;
    this.go(by);
  }

  closed() {
    clearInterval(this.timer);
    this.ring.hidden = true;
    const target = this.before?.isConnected && this.before !== document.body ? this.before : document.getElementById('page');
    target.focus({ preventScroll: true });
  }
}
