// How the last cycles met a node: fetched when it is looked at, because it is computed anew.
import { fetched } from './swap.js';

export async function showLately(within = document) {
  const place = within.querySelector('[data-lately]');
  if (!place) return;
  const page = await fetched(place.dataset.lately);
  if (page && place.isConnected) place.replaceChildren(...page.body.childNodes);
}
