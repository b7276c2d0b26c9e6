"""A pod with scheduling gates waits outside the queue. Source: v1.34.1 plugins/schedulinggates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.framework import SUCCESS, Plugin, Status, unresolvable

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo


class SchedulingGates(Plugin):
    name = "SchedulingGates"

    def pre_enqueue(self, pod: PodInfo) -> Status:
        gates = [gate.name for gate in pod.pod.spec.scheduling_gates or ()]
        return unresolvable(f"waiting for scheduling gates: [{' '.join(gates)}]") if gates else SUCCESS
