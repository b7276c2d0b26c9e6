"""How far the search for feasible nodes goes: adaptive sampling, rotating start, stop at the (k+1)-th feasible node.

Source: kube-scheduler v1.34.1 schedule_one.go, as one worker does it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scheduler.engine.framework import BoolArray, Int64Array

MIN_FEASIBLE_NODES = 100
MIN_PERCENTAGE = 5


def feasible_nodes_to_find(percentage: int, nodes: int) -> int:
    """numFeasibleNodesToFind: all below 100 nodes, else a share of them; percentage 0 shrinks with the cluster."""
    if nodes < MIN_FEASIBLE_NODES:
        return nodes
    if percentage == 0:
        percentage = max(MIN_PERCENTAGE, 50 - nodes // 125)
    return max(nodes * percentage // 100, MIN_FEASIBLE_NODES)


class Search(NamedTuple):
    """Positions are indices into the candidates. `visited` holds the processed ones in visiting order.

    `dropped`: the feasible candidate whose discovery ended the search, -1 if none did.
    """

    feasible: Int64Array
    visited: Int64Array
    dropped: int


def search(passed: BoolArray, start: int, wanted: int, places: Int64Array | None = None) -> Search:
    """Walk the candidates from `start`, wrapping, until more than `wanted` have passed.

    `passed`: verdict per candidate; `places`: 0, 1, 2, … for each, if there is such an array already. The candidate
    after the last wanted one is looked at and thrown away; refused candidates before it still count as processed.
    """
    size = len(passed)
    order = np.arange(size, dtype=np.int64) if places is None else places
    first = start % size if size else 0
    if size <= wanted and not first and passed.all():
        return Search(order, order, -1)
    if first:
        order = np.concatenate((order[first:], order[:first]))
        passed = passed[order]
    found = passed.nonzero()[0]
    if len(found) <= wanted:
        if len(found) == size:
            return Search(order, order, -1)
        return Search(order[found] if first else found, order, -1)
    stop = int(found[wanted])
    return Search(order[found[:wanted]], order[:stop], int(order[stop]))
