"""A pod that names its node goes nowhere else. Source: v1.34.1 plugins/nodename."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.explain.checks import with_verdict
from scheduler.engine.framework import Nodes, Plugin, Step, Verdict, unresolvable
from scheduler.engine.labels import NAME_FIELD

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle

_OTHER_NODE = unresolvable("node(s) didn't match the requested node name")


class NodeName(Plugin):
    name = "NodeName"
    filter_reads = "node"

    def shape_key(self, pod: PodInfo) -> str:
        return pod.node_name

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        if not cycle.pod.node_name:
            return Verdict.success(nodes)
        numbers, names = nodes.columns.label(NAME_FIELD)
        return Verdict.where(nodes.take(numbers) != names.find(cycle.pod.node_name), _OTHER_NODE)

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        wanted, name = cycle.pod.node_name, cycle.snapshot.names[row]
        if not wanted:
            return with_verdict([Step("node name", "value", (True,), True, "the pod names no node")], [])
        return with_verdict(
            [Step("node name", "equal", ((name, wanted),), name == wanted)], [("node name", _OTHER_NODE.message)]
        )
