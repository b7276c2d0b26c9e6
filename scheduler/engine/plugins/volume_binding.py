"""Claims need a volume that the node can reach. Source: v1.34.1 plugins/volumebinding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.framework import SKIP, Nodes, Plugin, PreFilterResult, Status, Verdict

if TYPE_CHECKING:
    from scheduler.engine.cycle import Cycle


class VolumeBinding(Plugin):
    name = "VolumeBinding"
    weight = 1

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        return PreFilterResult() if cycle.pod.pod.spec.volumes else PreFilterResult(SKIP)

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        return Verdict.success(nodes)

    def pre_score(self, cycle: Cycle) -> Status:
        """Scoring by free capacity is an alpha feature, off in v1.34."""
        return SKIP
