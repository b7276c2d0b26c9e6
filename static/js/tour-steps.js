// What the tour of the board shows. `at`: where each step stands, best first; a step of which nothing is on screen is left out.
import { byKeys } from './keyboard.js';

const TOP_BAR = 64; // px; what stands in it is spoken of from below, so that the bar stays in sight

export const STEPS = [
  {
    title: 'The board: queues, decision, cluster',
    text: 'Who waits, what is being decided, and where things run. The scheduler’s own queues, scores and nodes, number for number.',
    at: ['#queues', '.board-tabs'],
  },
  {
    title: 'Step once',
    text: byKeys(
      'S takes the next pod through one whole cycle, ⇧S through one phase of it. Space runs, and pauses.',
      'These buttons take the next pod through one phase, or through one whole cycle; the last one runs, and pauses.',
    ),
    guest: 'Steps need a login; looking around does not.',
    at: ['run-controls [data-command="step"]'],
  },
  {
    title: 'Every number opens',
    text: `A row is a node, a column an algorithm, a cell its score. ${byKeys('Click one, or press M and Enter,', 'Touch one')} for its arithmetic with this pod’s and this node’s values.`,
    without: {
      at: '.cyc-say, #cycle',
      title: 'What is decided, and why',
      text: 'Each cycle is told in one sentence, with what every filter refused. Where nodes are scored they stand here as a table, and every number in it opens its arithmetic.',
    },
    at: ['.matrix-win', 'score-matrix .cell-open', '.cyc-say', '#cycle'],
  },
  {
    title: 'Why a pod waits, or went there',
    text: 'Each pod has a page that answers in one sentence, with the message that kubectl describe would print, the evidence below it, and changes that were tried out and would place it.',
    at: ['[data-lane="unschedulable"] a.pod-card', '.cyc-say a', 'a.pod-card', '.rail a[href*="/pods/"]', '.board-tabs [data-tab="queues"]'],
  },
  {
    title: 'Who is next, who is asleep, who makes pods',
    text: 'The page Queue draws every lane, and which event of the cluster woke a pod. The page UDs plans UnitedDeployments of OpenKruise: how replicas are split over subsets, and what the next pass will do.',
    at: ['.rail a[href*="/queue/"]', '.topbar summary[aria-label="Pages"]'],
  },
  {
    title: 'Go back, undo, branch',
    text: byKeys(
      'Nothing is lost: drag the timeline to any event, and press End to come back. Z takes back the last action, ⇧B begins a new cluster from what is on screen.',
      'Nothing is lost: touch any mark of the timeline to see the board as it was then. The page Time takes back the last action, and begins a new cluster from what is on screen.',
    ),
    at: ['event-timeline'],
  },
];

// {title, text} of a step at the place where it stands.
export const wordsOf = (step, element) => (step.without && element.matches(step.without.at) ? step.without : step);

// The steps of which something is seen: [{step, element}]. `find(selector)` gives an element on screen, or null.
export function present(find, steps = STEPS) {
  return steps.flatMap((step) => {
    const element = step.at.map(find).find(Boolean);
    return element ? [{ step, element }] : [];
  });
}

// Where a box of `size` {width, height} stands beside `rect` in a window of `room` {width, height}: {x, y}, px. Never over what
// it speaks of while there is room at any side of it.
export function beside(rect, size, room, gap = 12) {
  const within = (value, most) => Math.max(gap, Math.min(value, most - gap));
  const x = within(rect.left, room.width - size.width);
  const y = within(rect.top, room.height - size.height);
  const below = [rect.bottom + gap + size.height + gap <= room.height, { x, y: rect.bottom + gap }];
  const places = [
    ...(rect.bottom <= TOP_BAR ? [below] : []),
    [rect.right + gap + size.width + gap <= room.width, { x: rect.right + gap, y }],
    below,
    [rect.left - gap - size.width >= gap, { x: rect.left - gap - size.width, y }],
    [rect.top - gap - size.height >= gap, { x, y: rect.top - gap - size.height }],
  ];
  // What fills the window is spoken of from its lower right corner.
  const corner = { x: within(rect.right - size.width - gap, room.width - size.width), y: within(rect.bottom - size.height - gap, room.height - size.height) };
  return places.find(([fits]) => fits)?.[1] ?? corner;
}
