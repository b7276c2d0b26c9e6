"""Which nodes came closest to taking a pod that fits nowhere, and what is against them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.explain.nearest import misses
from scheduler.engine.explain.shortage import Shortage
from scheduler.engine.explain.why.hindrances import FIT, hindrances
from scheduler.engine.explain.why.room import Room, rooms
from scheduler.engine.framework import BoolArray, Int64Array
from scheduler.engine.values.requests import PODS

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

_INSUFFICIENT = "Insufficient "


@dataclass(frozen=True, slots=True)
class Closest:
    """`rows` of the snapshot, by name, that miss alike: `reasons` as (plugin, kube-scheduler's words), in the order of
    the filters, besides the resources that they are `short` of.
    """

    rows: Int64Array
    reasons: tuple[tuple[str, str], ...]
    short: tuple[Shortage, ...] = ()


def closest(cycle: Cycle) -> Closest | None:
    """The nearest of all nodes, as `nearest` measures, and those that are exactly alike. None where no filter looked at
    any node.
    """
    if cycle.filtered is None or not len(cycle.filtered.rows):
        return None
    near, by_name = misses(cycle), np.argsort(np.argsort(np.array(cycle.snapshot.names, np.str_)))
    order = near.order(by_name)
    best = int(order[0])
    lacking = [one for one in rooms(cycle) if one.resource != PODS and one.short[best]]
    alike = _alike(cycle, best, lacking) & (near.kind == near.kind[best]) & (near.distance == near.distance[best])
    short = tuple(Shortage(one.resource, one.asked, int(one.free[best])) for one in lacking)
    return Closest(order[alike[order]], _reasons(cycle, best), short)


def _alike(cycle: Cycle, best: int, lacking: list[Room]) -> BoolArray:
    """Rows that every filter answers as it answers this one, and that have as much of what it lacks."""
    alike = np.ones(len(cycle.snapshot), np.bool_)
    for verdict in cycle.trace.everywhere.verdicts.values():
        alike &= verdict.index == verdict.index[best]
    for room in lacking:
        alike &= room.free == room.free[best]
    for _, rows in cycle.trace.diagnosis.all_groups():
        if best in rows:
            alike &= np.isin(np.arange(len(alike)), rows)
    return alike


def _reasons(cycle: Cycle, row: int) -> tuple[tuple[str, str], ...]:
    """What is against a node, a cordon once; where no filter says it by itself, what the search recorded."""
    against = {one.plugin for one in hindrances(cycle) if one.rows[row]}
    said = [one for one in cycle.trace.all_failures(row) if one.plugin in against]
    found = said or [status for status, rows in cycle.trace.diagnosis.all_groups() if row in rows]
    told = [(status.plugin, reason) for status in found for reason in status.reasons]
    return tuple((plugin, reason) for plugin, reason in told if plugin != FIT or not reason.startswith(_INSUFFICIENT))
