"""How an allocation came about, in words: one sentence for each step. Names stand in backticks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scheduler.engine.uniteddeployment.allocation import UNLIMITED, Allocation, AllocationError, AllocationStep
from scheduler.engine.uniteddeployment.allocators import allocate
from scheduler.engine.uniteddeployment.numbers import parsed_or, written
from scheduler.engine.uniteddeployment.spec import Subset, UnitedDeployment
from scheduler.engine.uniteddeployment.state import ExistingSubset, Schedulability
from scheduler.engine.words import count

TOLD = 8  # subsets that a sentence has room for
_NOTHING: Mapping[str, Any] = MappingProxyType({})

_BOUNDED = "Every subset gets its `minReplicas` first; then each is filled up to its `maxReplicas`, in order"
_ALLOCATORS = {
    "specificAllocator": "Subsets with `replicas` get what they ask for; the others share the rest evenly.",
    "minMaxAllocator": f"{_BOUNDED}.",
    "adaptiveAllocator": (
        "Every subset gets its `minReplicas` first, or its ready pods where these are more: they are not moved. Then "
        "each is filled up to its `maxReplicas`, in order; an unschedulable one gets no more than its ready pods."
    ),
    "reservationAllocator": f"{_BOUNDED}; pods that wait in an unschedulable one stay, and others stand in for them.",
}


def rule(allocation: Allocation) -> str:
    """What the allocator does, in one sentence."""
    return _ALLOCATORS[allocation.allocator]


def told(step: AllocationStep, ud: UnitedDeployment) -> str:
    """One step, with the number that the subset asks for as it is written."""
    return f"`{step.subset}` gets {step.given}: {why(step, ud)}; {step.left} left"


def why(
    step: AllocationStep,
    ud: UnitedDeployment,
    existing: Mapping[str, ExistingSubset] = _NOTHING,
    detected: Mapping[str, Schedulability] = _NOTHING,
) -> str:
    """Why a subset got what it got. `existing`, `detected`: what an adaptive allocator was given besides."""
    subset = next(one for one in ud.subsets if one.name == step.subset)
    total = ud.spec.replicas
    if step.rule == "replicas":
        return f"its replicas are {written(subset.replicas, total)}"
    if step.rule == "rest":
        return "its share of the rest"
    held = existing.get(step.subset)
    state = detected.get(step.subset, Schedulability())
    if held is not None and ud.reserves and step.rule == "max" and state.unschedulable:
        kept = f"the {count(held.spec_replicas, 'replica')} that it has"
        return f"it is unschedulable and keeps {kept}, {state.reserved_pods} of them reserved"
    ready = held.ready_replicas if held is not None and ud.adaptive and not ud.reserves else None
    if ready is not None and (text := _adapted(step, subset, ready, total or 0, state.unschedulable)):
        return text
    if step.rule == "min":
        least = parsed_or(subset.min_replicas, total or 0, 0)
        return f"its minimum is {written(subset.min_replicas or 0, total)}{_cut_short(step, least)}"
    if step.given == 0 and step.left == 0:
        return "nothing was left"
    return (
        "it has no maximum" if subset.max_replicas is None else f"its maximum is {written(subset.max_replicas, total)}"
    )


def fresh(ud: UnitedDeployment, existing: Mapping[str, ExistingSubset], now: Allocation) -> str:
    """What the split would be without the pods that an adaptive one keeps, and why, where it differs from `now`:
    else it only says that it keeps them. "" where none are kept, or the subsets are too many for a sentence.
    """
    keeps = ud.adaptive and not ud.reserves and any(one.ready_replicas for one in existing.values())
    if not keeps or len(ud.subsets) > TOLD:
        return ""
    try:
        allocation = allocate(ud, {}, {})
    except AllocationError:
        return ""
    if allocation.replicas == now.replicas:
        return "Without pods to keep the split would be the same."
    parts = [f"{number} to `{name}` ({_reasons(name, allocation, ud)})" for name, number in allocation.replicas.items()]
    return f"Without pods to keep it would give {', '.join(parts)}."


def _reasons(name: str, allocation: Allocation, ud: UnitedDeployment) -> str:
    own = [step for step in allocation.steps if step.subset == name]
    return ", ".join(why(step, ud) for step in own if step.given) or why(own[-1], ud)


def _cut_short(step: AllocationStep, wanted: int) -> str:
    """Where there was less left than a subset's minimum."""
    if step.left or step.given >= wanted:
        return ""
    if not step.given:
        return ", but none was left"
    return f", but only {step.given} {'was' if step.given == 1 else 'were'} left"


def _adapted(step: AllocationStep, subset: Subset, ready: int, total: int, is_unschedulable: bool) -> str:
    """Where the pods that are ready count, and not what is written."""
    most = parsed_or(subset.max_replicas, total, UNLIMITED)
    if step.rule == "min" and ready > parsed_or(subset.min_replicas, total, 0):
        pods = count(ready, "ready pod")
        if step.given < min(ready, most):
            return f"it has {pods}{_cut_short(step, ready)}"
        kept = f"keeps {'it' if ready == 1 else 'them'}" if ready <= most else f"its maximum is {subset.max_replicas}"
        return f"it has {pods} and {kept}; its minimum is {subset.min_replicas or 0}"
    if step.rule == "max" and is_unschedulable and ready < most:
        return f"it is unschedulable, so it gets no more than its {count(ready, 'ready pod')}"
    return ""
