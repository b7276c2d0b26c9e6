"""Keeps pods off cordoned nodes, unless they tolerate that. Source: v1.34.1 plugins/nodeunschedulable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.framework import Nodes, Plugin, Verdict, unresolvable
from scheduler.engine.values.taints import UNSCHEDULABLE_TAINT, is_tolerated

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle

_CORDONED = unresolvable("node(s) were unschedulable")


class NodeUnschedulable(Plugin):
    name = "NodeUnschedulable"
    filter_reads = "node"

    def shape_key(self, pod: PodInfo) -> bool:
        return is_tolerated(UNSCHEDULABLE_TAINT, pod.pod.spec.tolerations or ())

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        if self.shape_key(cycle.pod):
            return Verdict.success(nodes)
        return Verdict.where(nodes.take(nodes.columns[("unschedulable",)]), _CORDONED)
