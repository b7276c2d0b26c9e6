"""The node that preemption nominated the pod to: it is tried first, and counts among the nodes that were looked at.

Source: kube-scheduler v1.34.1 schedule_one.go, evaluateNominatedNode and findNodesThatFitPod.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.filtering import run_filters
from scheduler.engine.cycle.search import search
from scheduler.engine.framework import Code

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


def fits(cycle: Cycle) -> bool:
    """If the pod fits its nominated node, no other node is looked at. An error there is not recorded."""
    row = cycle.snapshot.row_of.get(cycle.pod.pod.nominated_node_name, -1)
    if row < 0:
        return False
    alone = run_filters(cycle, np.array([row], np.int64))
    if alone.passed[0]:
        cycle.filtered = alone
        cycle.found = search(alone.passed, 0, 1)
        return True
    failure = alone.failure_of(0)
    if failure.code is not Code.ERROR:
        cycle.own_nomination = (row, failure)
    return False


def next_start(cycle: Cycle) -> int:
    """Where the next attempt begins to search: after the nodes that this one looked at."""
    assert cycle.filtered is not None
    processed = len(cycle.found.visited)
    if cycle.own_nomination is not None:
        processed += cycle.own_nomination[0] not in cycle.filtered.rows[cycle.found.visited]
    return (cycle.start_index + processed) % len(cycle.snapshot)
