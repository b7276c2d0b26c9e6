"""Filter: which nodes the pod could go to; the nominated one first, then the candidates until enough have passed.

Source: kube-scheduler v1.34.1 schedule_one.go, findNodesThatFitPod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle import nomination
from scheduler.engine.cycle.filtering import Filtered, error_among, run_filters
from scheduler.engine.cycle.search import search
from scheduler.engine.cycle.unprepared import filters_without
from scheduler.engine.framework import Code, Int64Array

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


def find_feasible(cycle: Cycle) -> None:
    """Run the filters over the candidates and take down who passed; an error of a filter fails the attempt."""
    cycle.instead_of_filter = filters_without(cycle)
    if nomination.fits(cycle):
        return
    rows = _candidates(cycle)
    filtered = cycle.filtered = run_filters(cycle, rows)
    places = rows if rows is cycle.snapshot.columns.all_rows else None
    cycle.found = search(filtered.passed, cycle.start_index, cycle.nodes_to_find(len(rows)), places)
    cycle.next_start_index = nomination.next_start(cycle)
    all_passed = len(cycle.found.feasible) == len(rows)
    failure = error_among(filtered, cycle.found.visited) if not all_passed and _has_error(filtered) else None
    if failure is not None:
        cycle.fail("Filter", f'running "{failure.plugin}" filter plugin: {failure.message}')


def _candidates(cycle: Cycle) -> Int64Array:
    snapshot = cycle.snapshot
    if cycle.node_names is None:
        return snapshot.columns.all_rows
    return np.array(sorted(snapshot.row_of[name] for name in cycle.node_names if name in snapshot.row_of), np.int64)


def _has_error(filtered: Filtered) -> bool:
    return any(status.code is Code.ERROR for verdict in filtered.verdicts.values() for status in verdict.statuses)
