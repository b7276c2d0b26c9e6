"""What preemption tried and why it chose as it did: for screens and reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.framework import Status
from scheduler.engine.preemption.choice import Comparison
from scheduler.engine.preemption.victims import Victims

ONLY_CANDIDATE = "only candidate"
SMALLEST_NAME = "first by name among equals"
DRAWN = "drawn among equals"


@dataclass(frozen=True, slots=True)
class Preemption:
    """The record of one PostFilter; `PostFilterResult.details` of DefaultPreemption. Nodes are told by name.

    `ineligible`: why the pod may not preempt; then nothing else is filled in. `potential`: nodes that were refused for
    reasons that pods could be to blame for; no other is tried. `wanted`: how many candidates end the search.
    `rejected`: why preemption would not help. `comparisons`: the rules that were needed. `decided_by`: the last of
    them, or how a tie was broken. `tied`: nodes that no rule could tell apart from the chosen one, by name.
    """

    ineligible: str = ""
    potential: tuple[str, ...] = ()
    wanted: int = 0
    candidates: dict[str, Victims] = field(default_factory=dict)
    rejected: dict[str, Status] = field(default_factory=dict)
    comparisons: tuple[Comparison, ...] = ()
    tied: tuple[str, ...] = ()
    nominated: str = ""
    decided_by: str = ""

    @property
    def victims(self) -> tuple[PodInfo, ...]:
        """Who has to leave the nominated node."""
        return self.candidates[self.nominated].pods if self.nominated else ()

    def report(self) -> dict[str, Any]:
        """As a recording of the real scheduler holds it."""
        if self.ineligible:
            return {"eligible": False, "ineligible_reason": self.ineligible}
        report: dict[str, Any] = {
            "eligible": True,
            "potential_nodes": sorted(self.potential),
            "candidates": {
                node: {"victims": [pod.key for pod in one.pods], "pdb_violations": one.violations}
                for node, one in self.candidates.items()
            },
        }
        if self.potential:
            report["acceptable_nominations"] = list(self.tied)
            report["rejected_candidates"] = {
                node: {"code": status.code.label, "reasons": list(status.reasons)}
                for node, status in self.rejected.items()
            }
        return report | ({"victims": [pod.key for pod in self.victims]} if self.nominated else {})
