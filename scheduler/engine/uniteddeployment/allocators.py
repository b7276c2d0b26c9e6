"""How many replicas each subset is to have: which of four allocators decides, and what it says."""

from __future__ import annotations

from collections.abc import Mapping

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.allocation import Allocation, AllocationError, AllocationStep
from scheduler.engine.uniteddeployment.bounds import Bounds, fill, raw_bounds
from scheduler.engine.uniteddeployment.numbers import int32, parse_replicas
from scheduler.engine.uniteddeployment.reservation import reservation
from scheduler.engine.uniteddeployment.spec import UnitedDeployment
from scheduler.engine.uniteddeployment.state import ExistingSubset, Schedulability


def allocate(
    ud: UnitedDeployment, existing: Mapping[str, ExistingSubset], found: Mapping[str, Schedulability]
) -> Allocation:
    """`existing` and `found` by name of subset. Raises AllocationError."""
    if ud.reserves:
        return reservation(ud, existing, found)
    if ud.adaptive:
        bounds = [_adapted(one, existing.get(one.subset), found.get(one.subset)) for one in raw_bounds(ud)]
        return Allocation("adaptiveAllocator", *fill(bounds, ud.spec.replicas or 0))
    if any(one.min_replicas is not None or one.max_replicas is not None for one in ud.subsets):
        return Allocation("minMaxAllocator", *fill(raw_bounds(ud), ud.spec.replicas or 0))
    return _specific(ud, existing)


def _adapted(bounds: Bounds, held: ExistingSubset | None, found: Schedulability | None) -> Bounds:
    """Bounds around the pods that are ready: an unschedulable subset gets no more, another one loses none."""
    if held is None:
        return bounds
    ready = held.ready_replicas
    if found is not None and found.unschedulable:
        return Bounds(bounds.subset, max(ready, bounds.least), min(ready, bounds.most))
    return Bounds(bounds.subset, max(bounds.least, min(ready, bounds.most)), bounds.most)


def _specific(ud: UnitedDeployment, existing: Mapping[str, ExistingSubset]) -> Allocation:
    total = None if ud.spec.replicas == -1 else ud.spec.replicas  # which the controller has for "not known"
    specified = _specified(ud)
    named = [one.name for one in ud.subsets if one.name in specified]
    _check(int32(sum(specified.values())), total, complete=len(named) == len(ud.subsets))
    left = total if total is not None else sum(specified.values())
    replicas, steps = {one.name: 0 for one in ud.subsets}, []
    for name in named:
        number = specified[name]
        left = int32(left - number)
        replicas[name] = number
        steps.append(AllocationStep(name, "replicas", number, left))
    for name, number in _even(_others(ud, specified, existing), left):
        left -= number
        replicas[name] = number
        steps.append(AllocationStep(name, "rest", number, left))
    return Allocation("specificAllocator", replicas, tuple(steps))


def _specified(ud: UnitedDeployment) -> dict[str, int]:
    """Subsets whose `replicas` can be read. One that cannot is only logged, and treated as if it were absent."""
    numbers = {}
    for one in ud.subsets:
        if one.replicas is not None:
            try:
                numbers[one.name] = parse_replicas(one.replicas, ud.spec.replicas)
            except Invalid:
                continue
    return numbers


def _check(given: int, total: int | None, *, complete: bool) -> None:
    if total is None:
        if not complete:
            raise AllocationError("all subsets must be specified when UnitedDeployment replica is unspecified")
        return
    if given > total or (given < total and complete):
        than = "greater" if given > total else "less"
        raise AllocationError(f"specified subsets' replica ({given}) is {than} than UnitedDeployment replica ({total})")


def _others(ud: UnitedDeployment, specified: dict[str, int], existing: Mapping[str, ExistingSubset]) -> list[str]:
    """The subsets that share what is left: the one that has fewest replicas today first, then by name."""
    names = [one.name for one in ud.subsets if one.name not in specified]
    current = {name: held.spec_replicas for name, held in existing.items()}
    return sorted(names, key=lambda name: (current.get(name, 0), name))  # code points order as bytes do


def _even(names: list[str], left: int) -> list[tuple[str, int]]:
    """Equal shares; the remainder goes one by one to the last of them. Less than none is rounded towards zero."""
    if not names:
        return []
    share, extra = divmod(left, len(names)) if left >= 0 else (-(-left // len(names)), 0)
    return [(name, share + (number >= len(names) - extra)) for number, name in enumerate(names)]
