"""Who may preempt at all, and on which nodes it could help. Source: v1.34.1 plugins/defaultpreemption."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.diagnosis import diagnose
from scheduler.engine.framework import Code
from scheduler.engine.objects import Pod

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

_NEVER = "not eligible due to preemptionPolicy=Never."
_MADE_ROOM = "not eligible due to a terminating pod on the nominated node."


def ineligible_reason(cycle: Cycle) -> str:
    """Why the pod may not preempt; "" if it may."""
    if cycle.pod.pod.spec.preemption_policy == "Never":
        return _NEVER
    row = cycle.snapshot.row_of.get(cycle.pod.pod.nominated_node_name, -1)
    if row < 0 or _code(cycle, row) is Code.UNSCHEDULABLE_AND_UNRESOLVABLE:
        return ""
    others = [pod for pod in cycle.snapshot.infos[row].pods if pod.priority < cycle.pod.priority]
    return _MADE_ROOM if any(is_being_preempted(other.pod) for other in others) else ""


def is_being_preempted(pod: Pod) -> bool:
    """Terminating, and because of preemption: its first DisruptionTarget condition says so."""
    conditions = pod.status.conditions if pod.status is not None else None
    if not pod.is_terminating:
        return False
    target = next((one for one in conditions or () if one.type == "DisruptionTarget"), None)
    return target is not None and target.status == "True" and target.reason == "PreemptionByScheduler"


def potential_rows(cycle: Cycle) -> list[int]:
    """Nodes where the absence of pods could change the verdict, in the order of the snapshot."""
    groups = [rows for status, rows in diagnose(cycle).all_groups() if status.code is Code.UNSCHEDULABLE]
    rows: list[int] = np.sort(np.concatenate(groups)).tolist() if groups else []
    return rows


def _code(cycle: Cycle, row: int) -> Code:
    """How a node was refused. What no filter has looked at is hopeless unless PreFilter said otherwise."""
    for status, rows in diagnose(cycle).all_groups():
        if row in rows:
            return status.code
    return Code.UNSCHEDULABLE_AND_UNRESOLVABLE
