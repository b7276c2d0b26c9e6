// What a mark of the timeline is, above it: when, what, and for a cycle the way to its page. Esc or leaving takes it away.
import { h } from '../dom.js';
import { clock, count } from '../format.js';

const LINGER_MS = 250; // the way from a mark to the link above it

export class TimelineTip {
  // `start()`: when the cluster began, virtual µs.
  constructor(plot, { base, start }) {
    Object.assign(this, { plot, base, start });
    this.node = h('div', { class: 'tooltip tl-tip', hidden: true });
    (plot.closest('footer') ?? document.body).append(this.node); // within a landmark: it may hold a link
    const of = (event) => event.target.closest?.('a');
    plot.addEventListener('focusin', (event) => of(event)?.matches(':focus-visible') && this.show(of(event)));
    plot.addEventListener('focusout', () => this.later());
    this.node.addEventListener('pointerenter', () => clearTimeout(this.timer));
    this.node.addEventListener('pointerleave', () => this.later());
    document.addEventListener('keydown', (event) => event.key === 'Escape' && this.hide());
    plot.addEventListener('keydown', (event) => {
      const { cycle } = of(event)?.mark ?? {};
      if (event.key.toLowerCase() === 'o' && cycle && !event.ctrlKey && !event.metaKey) location.href = this.page(cycle);
    });
  }

  page(cycle) {
    return `${this.base}cycles/${cycle}/`;
  }

  // `link`: the mark's.
  show(link) {
    clearTimeout(this.timer);
    if (this.of === link.mark && !this.node.hidden) return;
    const { mark } = link;
    this.of = mark;
    const undone = link.hasAttribute('data-undone');
    this.node.replaceChildren(
      h('div', { class: 'dim' }, h('span', { class: 'mono' }, clock(mark.at_us, this.start())), ` event ${count(mark.seq)}${undone ? ', undone since' : ''}`),
      h('div', {}, mark.title),
      mark.cycle ? h('a', { href: this.page(mark.cycle) }, `Open cycle ${mark.cycle}`) : '',
      h('div', { class: 'dim' }, 'Click to see the cluster right after it'),
    );
    this.node.hidden = false;
    const [box, plot, own] = [link, this.plot, this.node].map((one) => one.getBoundingClientRect());
    const left = Math.max(6, Math.min(innerWidth - own.width - 6, box.left + box.width / 2 - own.width / 2));
    this.node.style.translate = `${Math.round(left)}px ${Math.round(plot.top - own.height - 4)}px`;
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), LINGER_MS);
  }

  hide() {
    clearTimeout(this.timer);
    this.node.hidden = true;
  }
}
