// A list that the server draws: while it stands open it follows the news, with what is searched, sorted and turned to.
import { fetched, follow, swap } from '../swap.js';
import { running } from '../transport.js';

const { store } = await running;
follow(store, async () => {
  const page = await fetched(location.href);
  if (page) swap(page);
});
