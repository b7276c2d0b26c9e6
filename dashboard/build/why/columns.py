"""Every node of an attempt as columns: all that speaks against it, what is free there, how far it is from fitting."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dashboard.build.attempt import Attempt
from scheduler.engine.cluster.node_tree import zone_of
from scheduler.engine.explain.why.hindrances import FIT, hindrances, union
from scheduler.engine.explain.why.room import Room, rooms
from scheduler.engine.framework import Int64Array
from scheduler.engine.values.requests import PODS
from scheduler.engine.values.taints import UNSCHEDULABLE_TAINT

FEASIBLE, REFUSED, NOT_REACHED = 0, 1, 2
UNWANTED = ("NodeName", "NodeAffinity")
INSTANCE_TYPE = "node.kubernetes.io/instance-type"
Reason = tuple[str, str]
"""(plugin, reason); the plugin is "" where PreFilter left the node out."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Parallel to the rows of the snapshot. `of`: indices into `reasons` of each row, in the order of the filters.

    `order`: rows, the best feasible first, then those that lack least, then those that are closed to the pod (taints,
    cordon, volumes), last those that it does not want (name, labels). `totals`: None where nothing was scored.
    """

    names: list[str]
    zones: list[str]
    types: list[str]
    verdicts: Int64Array
    totals: dict[int, int] | None
    reasons: list[Reason]
    of: list[list[int]]
    rooms: list[Room]
    distance: list[float]
    order: list[int]


def columns(made: Attempt) -> Columns:
    snapshot = made.cycle.snapshot
    nodes = snapshot.columns.nodes
    reasons: dict[Reason, int] = {}
    of: list[list[int]] = [[] for _ in snapshot.names]
    for reason, rows in _against(made):
        number = reasons.setdefault(reason, len(reasons))
        for row in rows:
            if number not in of[row]:
                of[row].append(number)
    _first(made, reasons, of)
    have = [one for one in rooms(made.cycle) if one.resource != PODS]
    verdicts, totals = _verdicts(made, len(of)), _totals(made)
    distance = _distance(list(reasons), of, have)
    return Columns(
        snapshot.names,
        [zone_of(node) for node in nodes],
        [node.labels.get(INSTANCE_TYPE, "") for node in nodes],
        verdicts,
        totals,
        list(reasons),
        of,
        have,
        np.round(distance, 3).tolist(),
        _order(made, distance, totals or {}, verdicts, _closed(made, len(of))),
    )


def _against(made: Attempt) -> Iterator[tuple[Reason, list[int]]]:
    """Every filter that refuses a node by itself, filter by filter."""
    if not made.cycle.pre_filter_status.is_success or made.cycle.failed_phase == "PreFilter":
        return
    for plugin, verdict in made.trace.everywhere.verdicts.items():
        for number in np.unique(verdict.index).tolist() if verdict.refused else ():
            if number:
                rows = np.flatnonzero(verdict.index == number).tolist()
                for reason in verdict.statuses[number].reasons:
                    yield (plugin, reason), rows


def _first(made: Attempt, reasons: dict[Reason, int], of: list[list[int]]) -> None:
    """What the search recorded and no filter says by itself goes first: PreFilter's words, pods nominated there."""
    for row, status in made.trace.first_failures.items():
        numbers = [reasons.setdefault((status.plugin, reason), len(reasons)) for reason in status.reasons]
        if missing := [number for number in numbers if number not in of[row]]:
            of[row][:0] = missing


def _verdicts(made: Attempt, size: int) -> Int64Array:
    verdicts = np.full(size, NOT_REACHED, np.int64)
    verdicts[list(made.trace.first_failures)] = REFUSED
    verdicts[made.cycle.feasible] = FEASIBLE
    return verdicts


def _totals(made: Attempt) -> dict[int, int] | None:
    scores = made.scores
    if scores is None:
        return None
    return dict(zip(made.cycle.feasible.tolist(), scores.totals.tolist(), strict=True))


def _order(
    made: Attempt, distance: NDArray[np.float64], totals: dict[int, int], verdicts: Int64Array, closed: Int64Array
) -> list[int]:
    """Who was chosen before those it was tied with; feasible equals in the order found, others by name."""
    names = np.array(made.trace.names, np.str_)
    best_first = np.array([-totals.get(row, 0) for row in range(len(verdicts))], np.int64)
    others = names != (made.record.decision.node if made.record.decision is not None else "")
    tiebreak = np.argsort(np.argsort(names))
    tiebreak[made.cycle.feasible] = np.arange(len(made.cycle.feasible))
    order: list[int] = np.lexsort((tiebreak, others, distance.round(9), closed, best_first, verdicts)).tolist()
    return order


def _distance(reasons: list[Reason], of: list[list[int]], have: list[Room]) -> NDArray[np.float64]:
    """The shares of what is missing, added up, and 1 for each other thing against a node."""
    other = np.array([plugin != FIT or reason == "Too many pods" for plugin, reason in reasons], np.int64)
    distance = np.array([int(other[numbers].sum()) if numbers else 0 for numbers in of], np.float64)
    for one in have:
        distance += one.missing / one.asked
    return distance - _cordoned_twice(reasons, of)


def _cordoned_twice(reasons: list[Reason], of: list[list[int]]) -> NDArray[np.float64]:
    """1 for each node that is refused for its cordon and for the taint that says the same."""
    cordons = {number for number, (plugin, _) in enumerate(reasons) if plugin == "NodeUnschedulable"}
    taints = {
        number
        for number, (plugin, reason) in enumerate(reasons)
        if plugin == "TaintToleration" and f"{{{UNSCHEDULABLE_TAINT.key}:" in reason
    }
    if not cordons or not taints:
        return np.zeros(len(of))
    return np.array([not cordons.isdisjoint(one) and not taints.isdisjoint(one) for one in of], np.float64)


def _closed(made: Attempt, size: int) -> Int64Array:
    """0 open, 1 closed to the pod, 2 not what it wants."""
    found = hindrances(made.cycle)
    closed = union([one for one in found if one.closes], size).astype(np.int64)
    return closed + union([one for one in found if one.plugin in UNWANTED], size)
