// The scheduler profile of the cluster, or how many there are.
import { h } from '../dom.js';

class ProfileName extends HTMLElement {
  update({ cluster }) {
    const { profiles } = cluster;
    const key = profiles.join(' ');
    if (key === this.drawn || !profiles.length) return;
    this.drawn = key;
    const more = profiles.length > 1 ? ` +${profiles.length - 1}` : '';
    this.replaceChildren(`${profiles[0]}${more} `, h('span', { class: 'dim' }, 'v1.34'));
    this.title = profiles.join(', ');
  }
}

customElements.define('profile-name', ProfileName);
