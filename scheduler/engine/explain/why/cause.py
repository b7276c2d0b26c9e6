"""The cause of a refusal as text: a clause for the page's first sentence, and what else the numbers say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler.engine.explain.why.claims import unusable
from scheduler.engine.explain.why.closed import closed
from scheduler.engine.explain.why.full import full
from scheduler.engine.explain.why.hindrances import hindrances, union

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


@dataclass(frozen=True, slots=True)
class Cause:
    """`clause` goes on after "because"; `more` are whole sentences beside it, `detail` those of the paragraph below.

    Names stand in backticks, what decides in `**`. `resource`: the one that is scarce, "" if none is.
    """

    clause: str
    more: str = ""
    detail: str = ""
    resource: str = ""


def cause(cycle: Cycle) -> Cause:
    """Of an attempt that found no node, after Filter.

    First the nodes that are closed to the pod (labels, taints, cordons) are set apart. If none is left, that is the
    cause; else it is what keeps it off the nodes that are left: one thing that all of them lack, or the fewest things
    that together refuse all.
    """
    if not len(cycle.snapshot):
        return Cause("the cluster has no nodes")
    if message := cycle.trace.diagnosis.pre_filter_message:
        return Cause(unusable(cycle) or f"it is refused before any node is looked at: {message.removesuffix('.')}")
    found = hindrances(cycle)
    size = len(cycle.snapshot)
    if not found or not union(found, size).all():
        return Cause("no node took it")
    shut = union([one for one in found if one.closes], size)
    if shut.all():
        return Cause(*closed(cycle, found))
    return Cause(*full(cycle, found, ~shut))
