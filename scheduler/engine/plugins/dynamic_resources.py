"""Devices by resource claims. Podium models pods without claims exactly; a pod with claims is refused and told so.

Source: v1.34.1 plugins/dynamicresources.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.explain.checks import with_verdict
from scheduler.engine.framework import (
    SKIP,
    Nodes,
    Plugin,
    PostFilterResult,
    PreFilterResult,
    Status,
    Step,
    Verdict,
    error,
    unresolvable,
    unschedulable,
)

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

NOT_MODELLED = unresolvable("resource claims are not modelled by this simulator")


class DynamicResources(Plugin):
    name = "DynamicResources"

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        cycle.state[self.name] = True
        return PreFilterResult(NOT_MODELLED if cycle.pod.pod.spec.resource_claims else SKIP)

    def without_pre_filter(self, cycle: Cycle) -> Status:
        return error("not found")

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        """Never asked: PreFilter skips pods without claims, and refuses the others."""
        return Verdict.where(np.ones(len(nodes), np.bool_), NOT_MODELLED)

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        return self.explain_pre_filter(cycle)

    def explain_pre_filter(self, cycle: Cycle) -> list[Step]:
        claims = len(cycle.pod.pod.spec.resource_claims or ())
        modelled = Step("resource claims", "none", (claims,), not claims, "of the pod")
        return with_verdict([modelled], [("resource claims", NOT_MODELLED.message)])

    def post_filter(self, cycle: Cycle) -> PostFilterResult:
        """Without its PreFilter state this fails, as the original does when an earlier algorithm ended PreFilter."""
        if self.name not in cycle.state:
            return PostFilterResult(error("not found"))
        if cycle.pod.pod.spec.resource_claims:
            return PostFilterResult(NOT_MODELLED)
        return PostFilterResult(unschedulable("no new claims to deallocate"))
