"""A host port can be bound once per node and address. Source: v1.34.1 plugins/nodeports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cluster.pod_info import HostPort
from scheduler.engine.explain.checks import with_verdict
from scheduler.engine.fixes.change import Fix
from scheduler.engine.fixes.ports import other_ports
from scheduler.engine.framework import (
    SKIP,
    Int64Array,
    Nodes,
    Plugin,
    PreFilterResult,
    Status,
    Step,
    Verdict,
    error,
    unschedulable,
)

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle

ANY_ADDRESS = "0.0.0.0"
LOOKED_AT = 256
_TAKEN = unschedulable("node(s) didn't have free ports for the requested pod ports")


class NodePorts(Plugin):
    name = "NodePorts"
    filter_reads = "pods"

    def shape_key(self, pod: PodInfo) -> tuple[HostPort, ...]:
        return pod.ports

    def concerns(self, pod: PodInfo) -> bool:
        return bool(pod.ports)

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        return PreFilterResult() if cycle.pod.ports else PreFilterResult(SKIP)

    def without_pre_filter(self, cycle: Cycle) -> Status:
        return error('reading "PreFilterNodePorts" from cycleState: not found')

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        refused = np.zeros(len(nodes), np.bool_)
        for place in np.flatnonzero(nodes.take(nodes.columns[("ports",)])).tolist():
            used = cycle.snapshot.infos[int(nodes.rows[place])].ports
            refused[place] = any(conflicts(wanted, used) for wanted in cycle.pod.ports)
        return Verdict.where(refused, _TAKEN)

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """Another number for each port that is taken on the node with the fewest of them, or no host port at all."""
        infos = [cycle.snapshot.infos[row] for row in rows[:LOOKED_AT].tolist()]
        taken = [[port for port in dict.fromkeys(cycle.pod.ports) if conflicts(port, info.ports)] for info in infos]
        best = min(range(len(infos)), key=lambda at: len(taken[at]))
        used = {port for _, _, port in infos[best].ports} | {port for _, _, port in cycle.pod.ports}
        return other_ports(cycle.pod.pod, [port for _, _, port in taken[best]], used)

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """Each port that the pod wants against those in use there with the same number."""
        used = sorted(cycle.snapshot.infos[row].ports)
        steps = [
            Step(_text(port), "port_free", (port, same), not conflicts(port, same))
            for port in dict.fromkeys(cycle.pod.ports)
            for same in [tuple(one for one in used if one[2] == port[2])]
        ]
        return with_verdict(steps, [(step.name, _TAKEN.message) for step in steps])


def conflicts(wanted: HostPort, used: Iterable[HostPort]) -> bool:
    """0.0.0.0 conflicts with every address."""
    address, protocol, port = wanted
    taken = [one for one, *rest in used if rest == [protocol, port]]
    return bool(taken) if address == ANY_ADDRESS else address in taken or ANY_ADDRESS in taken


def _text(port: HostPort) -> str:
    return "{0}:{2}/{1}".format(*port)
