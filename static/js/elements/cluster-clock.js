// The virtual clock and the number of the event on screen.
import { h, setProp, setText } from '../dom.js';
import { clock, count } from '../format.js';
import { momentOf } from './timeline-travel.js';

const MINUTE_US = 60_000_000;

class ClusterClock extends HTMLElement {
  start(store, { base }) {
    this.base = base;
    this.hours = h('span');
    this.whole = h('span');
    this.millis = h('span', { class: 'hide-s' });
    this.event = h('a', { class: 'hide-m', title: 'This page as it is at this event: a link that stays' });
    this.replaceChildren(
      h('span', { title: 'Virtual clock: time since the cluster began' }, this.hours, this.whole, this.millis),
      this.event,
    );
  }

  update({ cluster }) {
    if (cluster === this.drawn) return;
    this.drawn = cluster;
    const text = clock(cluster.now_us, cluster.start_us);
    const split = text.indexOf(':') + 1;
    setText(this.hours, text.slice(0, split));
    setText(this.whole, text.slice(split, -4));
    setText(this.millis, text.slice(-4));
    const young = cluster.now_us - cluster.start_us < MINUTE_US; // the milliseconds are all that moves
    this.hours.classList.toggle('hide-s', young);
    this.millis.classList.toggle('hide-s', !young);
    setText(this.event, `event ${count(cluster.seq)}`);
    setProp(this.event, 'href', momentOf(this.base, cluster.seq));
  }
}

customElements.define('cluster-clock', ClusterClock);
