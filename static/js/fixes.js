// What is said of tried changes, and how one becomes a branch.
import { csrf } from './commands.js';
import { count, plural } from './format.js';
import { parts } from './rich.js';

// Which of two comes first: `rank` part by part.
export function better({ rank: a }, { rank: b }) {
  const at = a.findIndex((part, place) => part !== b[place]);
  return at < 0 ? 0 : a[at] - b[at];
}

// The pods that a tried change concerns, by name, with their pages.
export function podLinks({ moved, evicted, also }, base) {
  const keys = [...moved, ...evicted, ...also].map(({ pod }) => pod);
  return Object.fromEntries(keys.map((key) => [key, `${base}pods/${key.split('/').map(encodeURIComponent).join('/')}/`]));
}

// One sentence about all of them, in parts. `answer`: Fixes of dashboard/payloads/fixes.py; `found`: all of its fixes.
export function summary({ seq, total, as_it_is: asItIs, silent }, found) {
  const when = ` (event ${count(seq)})`;
  if (asItIs) return [['lead', 'It fits as it is.'], ['', ' '], ...parts(`${asItIs}. Its turn has just not come yet${when}.`)];
  const untried = silent.length ? ` Not tried: what would settle ${silent.join(' and ')}, for which no change is known.` : '';
  if (!total) return [['lead', 'None found.'], ['', ` There is no change that would be worth a try${when}.${untried}`]];
  const useful = found.filter(({ outcome }) => outcome === 'fits').length;
  if (!useful) return [['lead', 'None found.'], ['', ` ${plural(total, 'change')} tried, and none lets it fit${when}.${untried}`]];
  const all = total === 1 ? 'it helps' : 'all help';
  const some = `${count(useful)} ${useful === 1 ? 'helps' : 'help'}`;
  return [['', `${plural(total, 'change')} tried, ${useful === total ? all : some}${when}.`]];
}

export async function branchWith(address, body) {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrftoken': csrf() },
      body: JSON.stringify(body),
    });
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return isJson ? await answer.json() : { ok: false, error: `The server answered ${answer.status}; its log says why.` };
  } catch {
    return { ok: false, error: 'The server did not answer. Look at the list of clusters for the branch.' };
  }
}
