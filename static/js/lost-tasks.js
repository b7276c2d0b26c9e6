// Tasks that no worker returned in time, and what to do about it: a sentence, or ''. Pure.
export function lostTasks({ note, tasks }) {
  if (!note || !tasks.some((task) => task.resent)) return '';
  return `${note} The numbers are the same. If a worker has died, start another: manage.py worker.`;
}
