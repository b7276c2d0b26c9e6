"""Some volumes cannot be used twice: disks that one node mounts, claims that one pod uses.

Source: v1.34.1 plugins/volumerestrictions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.framework import SKIP, Nodes, Plugin, PreFilterResult, Verdict

if TYPE_CHECKING:
    from scheduler.engine.cycle import Cycle


class VolumeRestrictions(Plugin):
    name = "VolumeRestrictions"

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        return PreFilterResult() if cycle.pod.pod.spec.volumes else PreFilterResult(SKIP)

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        return Verdict.success(nodes)
