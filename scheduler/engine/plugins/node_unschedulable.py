"""Keeps pods off cordoned nodes, unless they tolerate that. Source: v1.34.1 plugins/nodeunschedulable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scheduler.engine.explain.checks import combined, with_verdict
from scheduler.engine.fixes.change import Effort, Fix, Put, node_patch
from scheduler.engine.framework import Int64Array, Nodes, Plugin, Step, Verdict, unresolvable
from scheduler.engine.objects import Node, Taint
from scheduler.engine.values.taints import UNSCHEDULABLE_TAINT, first_untolerated, is_tolerated, plain

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle

LOOKED_AT = 64
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

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """Open one of the nodes again. Its taint goes as well, as the node controller sees to it."""
        nodes = [cycle.snapshot.columns.nodes[row] for row in rows[:LOOKED_AT].tolist()]
        tolerations = cycle.pod.pod.spec.tolerations or []
        node = min(nodes, key=lambda one: first_untolerated(_without_cordon(one), tolerations) is not None)
        kept = _without_cordon(node)
        puts = [Put(("spec", "unschedulable"))]
        puts += [Put(("spec", "taints"), msgspec.to_builtins(kept) or None)] if len(kept) < len(node.taints) else []
        settles = () if first_untolerated(kept, tolerations) else ("TaintToleration",)
        title, note = f"Uncordon `{node.name}`", "Ask first why it is cordoned."
        return [Fix("uncordon", title, node_patch(node.name, *puts), Effort.NODE, settles=settles, note=note)]


def _without_cordon(node: Node) -> list[Taint]:
    return [taint for taint in node.taints if taint.key != UNSCHEDULABLE_TAINT.key]
