"""Every node of an attempt as columns: all that speaks against it, what is free there, how far it is from fitting."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dashboard.build.attempt import Attempt
from scheduler.engine.cluster.node_tree import zone_of
from scheduler.engine.explain.nearest import Misses, misses
from scheduler.engine.explain.reserved import kept_for
from scheduler.engine.explain.why.room import Room, rooms
from scheduler.engine.framework import Int64Array
from scheduler.engine.values.requests import PODS

FEASIBLE, REFUSED, NOT_REACHED = 0, 1, 2
INSTANCE_TYPE = "node.kubernetes.io/instance-type"
Reason = tuple[str, str]
"""(plugin, reason); the plugin is "" where PreFilter left the node out."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Parallel to the rows of the snapshot. `of`: indices into `reasons` of each row, in the order of the filters.

    `order`: rows, the best feasible first, then those that lack least, then those that are closed to the pod (taints,
    cordon, volumes), last those that it does not want (name, labels). `totals`: None where nothing was scored.
    `kept`: for which pods nodes with enough room are kept free, by row.
    """

    names: list[str]
    zones: list[str]
    types: list[str]
    verdicts: Int64Array
    totals: dict[int, int] | None
    reasons: list[Reason]
    of: list[list[int]]
    rooms: list[Room]
    kept: dict[int, tuple[str, ...]]
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
    verdicts, totals, near = _verdicts(made, len(of)), _totals(made), misses(made.cycle)
    return Columns(
        snapshot.names,
        [zone_of(node) for node in nodes],
        [node.labels.get(INSTANCE_TYPE, "") for node in nodes],
        verdicts,
        totals,
        list(reasons),
        of,
        have,
        kept_for(made.cycle),
        near.distance.round(3).tolist(),
        _order(made, near, totals or {}, verdicts),
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


def _order(made: Attempt, near: Misses, totals: dict[int, int], verdicts: Int64Array) -> list[int]:
    """Who was chosen before those it was tied with; feasible equals in the order found, others by name."""
    names = np.array(made.trace.names, np.str_)
    best_first = np.array([-totals.get(row, 0) for row in range(len(verdicts))], np.int64)
    others = names != (made.record.decision.node if made.record.decision is not None else "")
    tiebreak = np.argsort(np.argsort(names))
    tiebreak[made.cycle.feasible] = np.arange(len(made.cycle.feasible))
    missed = near.order(np.lexsort((tiebreak, others)).argsort())
    place = np.empty(len(missed), np.int64)
    place[missed] = np.arange(len(missed))
    order: list[int] = np.lexsort((place, best_first, verdicts)).tolist()
    return order
