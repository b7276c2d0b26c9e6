"""Which nodes came closest to taking a pod that fits nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.filtering import Filtered
from scheduler.engine.explain.shortage import Shortage, shortages
from scheduler.engine.framework import Int64Array, Status

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

MEASURED = 256
"""Nodes whose shortages are compared; what is beyond is left out of the closest, not out of the counts."""


@dataclass(frozen=True, slots=True)
class Closest:
    """`rows` of the snapshot that failed the same way, `status` as the search recorded it, what resources they lack."""

    rows: Int64Array
    status: Status
    short: tuple[Shortage, ...] = ()


def closest(cycle: Cycle) -> Closest | None:
    """The refused nodes with the fewest failing filters; of these, those that fell at the latest filter; of these,
    those that lack the least, or else that most share the reasons of. None where no filter looked at any node.
    """
    filtered = cycle.filtered
    if filtered is None or not len(filtered.rows):
        return None
    furthest = _furthest(filtered)
    groups = [(status, filtered.rows[places]) for status, places in filtered.first_failures(furthest)]
    status, rows = min(groups, key=lambda one: (len(one[0].reasons), -len(one[1])))
    if status.plugin != "NodeResourcesFit":
        return Closest(rows, status)
    return _least_short(cycle, [one for group in groups for one in group[1].tolist()], groups) or Closest(rows, status)


def _furthest(filtered: Filtered) -> Int64Array:
    """Places by number of failing filters, then by the position of the first."""
    order = list(filtered.verdicts)
    failing = np.zeros(len(filtered.rows), np.int64)
    first = np.full(len(filtered.rows), len(order), np.int64)
    for position, verdict in reversed(list(enumerate(filtered.verdicts.values()))):
        refused = verdict.index != 0
        failing += refused
        first[refused] = position
    for place, status in filtered.with_nominated.items():
        failing[place], first[place] = max(1, failing[place]), order.index(status.plugin)
    few: Int64Array = np.flatnonzero(failing == failing.min())
    latest: Int64Array = few[first[few] == first[few].max()]
    return latest


def _least_short(cycle: Cycle, rows: list[int], groups: list[tuple[Status, Int64Array]]) -> Closest | None:
    """Fewest resources short, then the smallest share missing; None where only pods nominated there are in the way."""
    known = [(row, short) for row in rows[:MEASURED] if (short := tuple(shortages(cycle, row)))]
    if not known:
        return None
    _, best = min(known, key=lambda one: (len(one[1]), max(lack.share for lack in one[1])))
    found = np.array([row for row, short in known if short == best], np.int64)
    status = next(status for status, group in groups if found[0] in group)
    return Closest(found, status, best)
