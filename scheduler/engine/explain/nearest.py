"""How near each node is to taking a pod: one measure for sentences, tables and proposals. Nobody else ranks misses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.explain.why.hindrances import Hindrance, hindrances, union
from scheduler.engine.explain.why.room import Room, rooms
from scheduler.engine.framework import BoolArray, Int64Array
from scheduler.engine.values.requests import PODS

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

Float64Array: TypeAlias = NDArray[np.float64]
OPEN, CLOSED, UNWANTED = 0, 1, 2
_ASKED_BY_POD = ("NodeName", "NodeAffinity")
_DECIMALS = 9  # shares that were added up in another order are equal all the same


@dataclass(frozen=True, slots=True)
class Misses:
    """Over all rows. `kind`: OPEN to the pod, CLOSED (taints, cordon, volumes) or UNWANTED (it asks for another name or
    label). `distance`: the shares of the resources that are missing, added up, and 1 for each other thing against it.
    """

    kind: Int64Array
    distance: Float64Array

    def order(self, tiebreak: Int64Array) -> Int64Array:
        """All rows, the nearest first: what is open, then what lacks least, then by `tiebreak`."""
        return np.lexsort((tiebreak, self.distance, self.kind))


def misses(cycle: Cycle) -> Misses:
    """Of an attempt after Filter; all 0 where no filter could be asked."""
    size, found = len(cycle.snapshot), hindrances(cycle)
    compared = [one for one in rooms(cycle) if one.resource != PODS] if found else []
    distance = _distance(found, compared, size)
    wanted = union([one for one in found if one.plugin in _ASKED_BY_POD], size)
    unnamed = _refused(cycle, size) & (distance == 0)
    kind = union([one for one in found if one.closes], size) * CLOSED
    kind[wanted | unnamed] = UNWANTED
    return Misses(kind.astype(np.int64), (distance + unnamed).round(_DECIMALS))


def _distance(found: list[Hindrance], compared: list[Room], size: int) -> Float64Array:
    distance, shares = np.zeros(size), {one.resource for one in compared}
    for hindrance in found:
        if hindrance.resource not in shares:
            distance += hindrance.rows
    for room in compared:
        distance += room.missing / room.asked
    return distance


def _refused(cycle: Cycle, size: int) -> BoolArray:
    """By the search; a node that PreFilter left out may have no filter against it."""
    refused = np.zeros(size, np.bool_)
    for _, rows in cycle.trace.diagnosis.all_groups():
        refused[rows] = True
    return refused
