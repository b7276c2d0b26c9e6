// When what happened in an attempt: its tasks, and PostFilter, which no task measures. It begins as the last of them ends.
const KIND = { worker: 'core', kind: 'phase', label: 'PostFilter' };

// From the start of an attempt to the end of its last task: waiting between phases counts as well.
const spanOf = (tasks) => Math.max(0, ...tasks.map((task) => task.start_ms + task.ms));

// {tasks, span, phases}: ms from beginning to end, and how many of them in the phases.
export function timed({ tasks: given, phases }) {
  const last = phases.find(({ name }) => name === 'PostFilter')?.ms;
  const tasks = last && given.length ? [...given, { ...KIND, start_ms: spanOf(given), ms: last }] : given;
  return { tasks, span: spanOf(tasks), phases: phases.reduce((sum, { ms }) => sum + (ms ?? 0), 0) };
}
