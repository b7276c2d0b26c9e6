// The only state of a page: a reducer and an EventTarget. Nothing else keeps what the server said.
import { news } from './news.js';
import { progress } from './progress.js';

export class Store extends EventTarget {
  constructor(state) {
    super();
    this.state = state;
  }

  dispatch(action) {
    const next = reduce(this.state, action);
    if (next === this.state) return;
    this.state = next;
    this.dispatchEvent(new CustomEvent('change', { detail: action }));
  }
}

export function initial(server, ui = {}) {
  return {
    ...server,
    shown: null, // a cycle that a person turned back to; null follows the newest
    extra: {}, // further cards of a lane, by lane
    link: { state: 'connecting', since: 0 },
    command: { pending: '', next: '', error: '', seq: 0 }, // next: asked for last, and waits; seq: of the last one's answer
    progress: null,
    stale: false, // a gap was seen: state.json must be fetched
    ui: {
      layer: 'normalized',
      view: 'heatmap',
      sort: 'total',
      filter: '',
      find: '',
      tab: 'cycle',
      map: 'auto',
      cell: null,
      refusal: null,
      picked: '', // a waiting pod that every node answers
      ...ui,
    },
  };
}

export function reduce(state, action) {
  switch (action.type) {
    case 'loaded':
      return loaded(state, action.server);
    case 'news':
      return news(state, action.news);
    case 'progress':
      return progress(state, action.progress);
    case 'link':
      return { ...state, link: { ...state.link, ...action.link } };
    case 'tick': // time that passes between news; the next news says what it really is
      return { ...state, cluster: { ...state.cluster, now_us: Math.max(state.cluster.now_us, action.now_us) } };
    case 'stale':
      return { ...state, stale: true };
    case 'command':
      return { ...state, command: { ...state.command, ...action.command } };
    case 'shown':
      return { ...state, shown: action.cycle, explained: null, ui: { ...state.ui, cell: null } };
    case 'more':
      return {
        ...state,
        extra: { ...state.extra, [action.lane]: [...(state.extra[action.lane] ?? []), ...action.cards] },
      };
    case 'part': // of a page's own: figures that it fetches by itself
      return { ...state, ...action.part };
    case 'weights':
      return { ...state, weights: action.weights };
    case 'answers':
      return { ...state, answers: action.answers };
    case 'explained':
      return { ...state, explained: action.explained };
    case 'ui':
      return { ...state, ui: { ...state.ui, ...action.ui } };
    default:
      throw new Error(`unknown action ${action.type}`);
  }
}

function loaded(state, server) {
  return { ...state, ...server, extra: {}, progress: null, stale: false };
}
