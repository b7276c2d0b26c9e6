"""Nodes in the order in which they matter to a pod: the best beside one of each reason to be refused, and so on."""

from __future__ import annotations

from itertools import chain, zip_longest

import numpy as np

from scheduler.engine.simulation.outlook import outlook
from scheduler.engine.simulation.simulation import Simulation


def nearest(simulation: Simulation, pod: str) -> list[str]:
    """Of all nodes; in their own order for a pod that is not queued, or cannot be tried."""
    cycle = outlook(simulation, pod) if pod else None
    if cycle is None or cycle.error:
        return [info.name for info in simulation.cluster]
    cycle.pre_score()
    totals = np.zeros(len(cycle.feasible), dtype=np.int64)
    for algorithm, row in cycle.map_and_reduce()[1].items():
        totals += row * cycle.profile.weight(algorithm)
    names = cycle.trace.names
    groups = [cycle.feasible[np.argsort(-totals, kind="stable")]]
    groups += [rows for _, rows in cycle.trace.diagnosis.all_groups()]
    turns = zip_longest(*(rows.tolist() for rows in groups))
    return [names[row] for row in chain.from_iterable(turns) if row is not None]
