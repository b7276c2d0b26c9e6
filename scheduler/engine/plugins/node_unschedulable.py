"""Keeps pods off cordoned nodes, unless they tolerate that. Source: v1.34.1 plugins/nodeunschedulable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.explain.checks import combined, with_verdict
from scheduler.engine.framework import Nodes, Plugin, Step, Verdict, unresolvable
from scheduler.engine.values.taints import UNSCHEDULABLE_TAINT, is_tolerated, plain

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

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        cordoned = bool(cycle.snapshot.columns[("unschedulable",)][row])
        taint = (UNSCHEDULABLE_TAINT.key, "", UNSCHEDULABLE_TAINT.effect)
        steps = [
            Step("cordoned", "value", (cordoned,), cordoned, "spec.unschedulable"),
            Step("open", "not", ("cordoned",), not cordoned),
            Step(
                "tolerated",
                "tolerated",
                (taint, plain(cycle.pod.pod.spec.tolerations or ())),
                self.shape_key(cycle.pod),
                "the taint of cordoned nodes",
            ),
        ]
        return with_verdict([*steps, combined("usable", "any", steps[1:])], [("usable", _CORDONED.message)])
