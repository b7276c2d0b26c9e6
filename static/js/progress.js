// What a `progress` message changes of a state. Pure.

// Cells as the workers return them. Only the open cycle has a matrix to fill; binned rows wait for the whole.
export function progress(state, message) {
  const { cycle } = state;
  if (cycle && message.cycle < cycle.number) return state;
  if (!('lanes' in state) && message.cycle !== cycle?.number) return state;
  if (!cycle || cycle.number !== message.cycle || cycle.outcome !== 'open') return { ...state, progress: message };
  const places = message.algorithms.map((one) => cycle.algorithms.findIndex((held) => held.name === one.name));
  const algorithms = [...cycle.algorithms];
  message.algorithms.forEach(({ state: stage, worker }, at) => {
    if (places[at] >= 0) algorithms[places[at]] = { ...algorithms[places[at]], state: stage, worker };
  });
  const rows = cycle.rows.bins.some((size) => size > 1) ? cycle.rows : filledRows(cycle.rows, message.cells, places);
  const { phase, tasks } = message;
  const phases = joinedPhases(cycle.phases, message.phases);
  return { ...state, progress: message, cycle: { ...cycle, phase, phases, algorithms, rows, tasks } };
}

function joinedPhases(held, fresh) {
  const byName = new Map(fresh.map((phase) => [phase.name, phase]));
  return held.map((phase) => byName.get(phase.name) ?? phase);
}

// `places`: the message's algorithms as columns of the matrix.
function filledRows(rows, cells, places) {
  const raw = [...rows.raw];
  const normalized = [...rows.normalized];
  for (const cell of cells) {
    if (cell.rows) {
      cell.raw.forEach((values, at) => {
        if (values && places[at] >= 0)
          raw[places[at]] = placed(raw[places[at]], values, cell.rows[0], rows.names.length);
      });
    } else if (places[cell.algorithm] >= 0) normalized[places[cell.algorithm]] = cell.normalized;
  }
  return { ...rows, raw, normalized };
}

function placed(column, values, first, length) {
  const next = column ? [...column] : Array(length).fill(null);
  values.forEach((value, at) => {
    if (first + at < length) next[first + at] = value;
  });
  return next;
}
