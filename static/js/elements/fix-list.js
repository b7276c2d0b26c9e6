// What would make a waiting pod fit: changes that were each tried by a simulated run on a copy, the best first.
// Every request tries a few; the rows grow until all are told.
import { announce, h, icon, meter, setMeter } from '../dom.js';
import { better, branchWith, summary } from '../fixes.js';
import { count } from '../format.js';
import { then } from '../past.js';
import { drawn } from '../rich.js';
import { keepRows } from './fix-rows.js';

const SHOWN = 6; // of those that help
const SHOWN_USELESS = 2;
const PAUSE_MS = 1500; // after the last news, before all is tried anew

class FixList extends HTMLElement {
  connectedCallback() {
    if (this.says) return;
    this.words = h('p', { tabindex: '-1' });
    this.again = h('button', { class: 'button', type: 'button', hidden: true, onclick: () => this.once(() => this.load()) }, icon('run'), 'Try again');
    this.progress = meter(0);
    this.says = h('div', { class: 'fix-says' }, this.words, this.again, this.progress);
    this.rows = h('ol', { class: 'fixes', 'aria-label': 'Changes that were tried' });
    this.more = h('button', { class: 'button button-quiet', type: 'button', hidden: true, onclick: () => this.once(() => this.draw(true)) });
    this.foot = h('p', { class: 'fix-foot dim', hidden: true });
    this.replaceChildren(this.says, this.rows, this.more, this.foot);
    if (!this.dataset.pod) return; // a specimen
    const [namespace, name] = this.dataset.pod.split('/').map(encodeURIComponent);
    this.address = `${document.documentElement.dataset.base}pods/${namespace}/${name}/`;
    this.load();
  }

  // The page's live state, where there is one. While a cluster runs, every moment is a new one: the person asks again.
  update({ cluster, past }) {
    if (past || !this.seq || cluster.seq === this.seq || this.dataset.state === 'trying') return;
    if (this.dataset.state === 'done' && this.again.hidden) this.words.append(' The cluster has changed since.');
    this.again.hidden = false;
    clearTimeout(this.timer);
    if (cluster.wanted !== 'running') this.timer = setTimeout(() => this.load(), PAUSE_MS);
  }

  async load() {
    const mine = (this.asked = {});
    clearTimeout(this.timer);
    [this.found, this.all] = [[], false];
    this.dataset.state = 'trying';
    this.tell({ trying: 0 });
    for (let from = 0; from !== null; ) {
      const answer = await ask(`${this.address}fixes.json`, from, this.seqOf(from));
      if (mine !== this.asked) return;
      if (answer.error) return this.fail(answer);
      from = answer.next;
      this.take(answer);
    }
  }

  // `answer`: Fixes of dashboard/payloads/fixes.py.
  take(answer) {
    this.seq = answer.seq;
    this.canBranch = answer.can_branch;
    this.found = [...(this.found ?? []), ...answer.fixes].sort(better);
    if (answer.next !== null) this.tell({ trying: answer.next, total: answer.total });
    else this.end(answer);
    this.draw(this.all);
  }

  // Further requests are about the same moment.
  seqOf(from) {
    return from ? this.seq : null;
  }

  tell({ trying, total = 0 }) {
    this.words.textContent = total ? `Trying changes on a copy of the cluster: ${count(trying)} of ${count(total)} done` : 'Looking for changes that would help…';
    setMeter(this.progress, total ? trying / total : 0);
    this.progress.classList.toggle('hide', !total);
    this.again.hidden = true;
  }

  end(answer) {
    this.dataset.state = 'done';
    this.progress.classList.add('hide');
    this.words.replaceChildren(...drawn(summary(answer, this.found)));
    if (this.dataset.pod) announce(this.words.textContent);
    this.foot.hidden = answer.can_branch || !this.found.some(({ outcome }) => outcome === 'fits');
    this.foot.textContent = 'Who may add and change clusters can open each that fits as a branch.';
  }

  fail({ error, status }) {
    this.dataset.state = 'failed';
    this.progress.classList.add('hide');
    this.rows.replaceChildren();
    this.words.textContent = error;
    this.again.hidden = status === 409;
  }

  draw(all) {
    this.all = all;
    const useful = this.found.filter(({ outcome }) => outcome === 'fits');
    const useless = this.found.filter(({ outcome }) => outcome !== 'fits');
    const shown = all ? this.found : [...useful.slice(0, SHOWN), ...useless.slice(0, SHOWN_USELESS)];
    if (!keepRows(this.rows, shown, this.canBranch && ((fix, button) => this.branch(fix, button)))) this.words.focus();
    this.more.hidden = shown.length === this.found.length || this.dataset.state === 'trying';
    this.more.textContent = `Show all ${count(this.found.length)}`;
  }

  // What a button does that goes away with it: the next Tab goes on from where it led.
  once(act) {
    const before = this.rows.children.length;
    act();
    (this.rows.children[before]?.querySelector('summary, a, button') ?? this.words).focus();
  }

  async branch(fix, button) {
    button.dataset.state = 'busy';
    button.disabled = true;
    const answer = await branchWith(`${this.address}fixes/`, { fix: fix.id, seq: this.seq });
    if (answer.ok) {
      location.href = answer.address;
      return;
    }
    delete button.dataset.state;
    button.disabled = false;
    button.parentElement.querySelector('.fix-error')?.remove();
    button.focus();
    button.before(h('p', { class: 'fix-error field-error', role: 'alert' }, icon('warn'), answer.error));
  }
}

async function ask(address, from, at) {
  const url = new URL(then(address), location.href);
  if (from) url.searchParams.set('from', from);
  if (at && !url.searchParams.has('at')) url.searchParams.set('at', at);
  const answer = await fetch(url).catch(() => null);
  const told = answer?.headers.get('content-type')?.startsWith('application/json') ? await answer.json() : null;
  if (answer?.ok && told) return told;
  return { status: answer?.status, error: told?.error ?? 'What would help could not be found out: the server did not answer.' };
}

customElements.define('fix-list', FixList);
