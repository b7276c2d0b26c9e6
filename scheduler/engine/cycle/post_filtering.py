"""PostFilter: what algorithms can do for a pod that fits nowhere.

Source: kube-scheduler v1.34.1 framework/runtime/framework.go, RunPostFilterPlugins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.framework import Code, PostFilterResult, Status

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


def run_post_filters(cycle: Cycle) -> PostFilterResult:
    """The first that helps, or that says nothing can be done, ends it."""
    reasons: list[str] = []
    result, details = PostFilterResult(), None
    for plugin in cycle.at("postFilter"):
        one = plugin.post_filter(cycle)
        if one.status.is_success or one.status.code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE:
            return one
        if not one.status.is_rejected:
            return PostFilterResult(one.status)
        reasons.extend(one.status.reasons)
        result = one if one.nominated_node is not None else result
        details = one.details if one.details is not None else details
    status = Status(Code.UNSCHEDULABLE, tuple(reasons))
    return PostFilterResult(status, result.nominated_node, result.victims, details)
