"""A volume of one zone can be used by nodes of that zone. Source: v1.34.1 plugins/volumezone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.framework import SKIP, Nodes, Plugin, PreFilterResult, Verdict

if TYPE_CHECKING:
    from scheduler.engine.cycle import Cycle


class VolumeZone(Plugin):
    name = "VolumeZone"

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        return PreFilterResult() if cycle.pod.pod.spec.volumes else PreFilterResult(SKIP)

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        return Verdict.success(nodes)
