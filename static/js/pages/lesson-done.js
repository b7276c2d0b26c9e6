// Which cases were seen to their end, in this browser: {slug: 'yes' if the first guess was right, else 'no'}.
const KEY = 'podium.lessons';

export function done() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // storage is off, or holds something else
  }
}

export function keep(slug, right) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ [slug]: right, ...done() }));
  } catch {
    // not kept then
  }
}
