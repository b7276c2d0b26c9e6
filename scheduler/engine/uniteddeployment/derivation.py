"""How an allocation came about, in words: one sentence for each step. Names stand in backticks."""

from __future__ import annotations

from scheduler.engine.uniteddeployment.allocation import Allocation, AllocationStep
from scheduler.engine.uniteddeployment.spec import Subset, UnitedDeployment

_BOUNDED = "Every subset gets its `minReplicas` first; then each is filled up to its `maxReplicas`, in order"
_ALLOCATORS = {
    "specificAllocator": "Subsets with `replicas` get what they ask for; the others share the rest evenly.",
    "minMaxAllocator": f"{_BOUNDED}.",
    "adaptiveAllocator": f"{_BOUNDED}; an unschedulable one gets no more than its ready pods, others keep theirs.",
    "reservationAllocator": f"{_BOUNDED}; pods that wait in an unschedulable one stay, and others stand in for them.",
}


def rule(allocation: Allocation) -> str:
    """What the allocator does, in one sentence."""
    return _ALLOCATORS[allocation.allocator]


def told(step: AllocationStep, ud: UnitedDeployment) -> str:
    """One step, with the number that the subset asks for as it is written."""
    subset = next(one for one in ud.subsets if one.name == step.subset)
    return f"`{step.subset}` gets {step.given}: {_why(step, subset, ud.spec.replicas)}; {step.left} left"


def _why(step: AllocationStep, subset: Subset, total: int | None) -> str:
    if step.rule == "replicas":
        of = f" of {total}" if isinstance(subset.replicas, str) else ""
        return f"its replicas are {subset.replicas}{of}"
    if step.rule == "rest":
        return "its share of the rest"
    if step.rule == "min":
        return f"its minimum is {subset.min_replicas or 0}"
    return "it has no maximum" if subset.max_replicas is None else f"its maximum is {subset.max_replicas}"
