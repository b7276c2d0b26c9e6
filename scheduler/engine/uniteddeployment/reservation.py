"""Reservation mode's allocator: pods that wait in a full subset keep their place, stand-ins are made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from scheduler.engine.uniteddeployment.allocation import UNLIMITED, Allocation, AllocationStep
from scheduler.engine.uniteddeployment.bounds import raw_bounds
from scheduler.engine.uniteddeployment.numbers import int32
from scheduler.engine.uniteddeployment.spec import UnitedDeployment
from scheduler.engine.uniteddeployment.state import ExistingSubset, Schedulability

NAME = "reservationAllocator"


def reservation(
    ud: UnitedDeployment, existing: Mapping[str, ExistingSubset], found: Mapping[str, Schedulability]
) -> Allocation:
    """The sum handed out may exceed `spec.replicas`: what is above it are the temporary stand-ins."""
    bounds = raw_bounds(ud)
    given = dict.fromkeys((one.subset for one in bounds), 0)
    room = {name: _room(existing.get(name), found.get(name)) for name in given}
    steps: list[AllocationStep] = []
    left = ud.spec.replicas or 0
    for rule in ("min", "max"):
        for one in bounds:
            if left == 0 or (left < 0 and steps):
                return Allocation(NAME, given, tuple(steps))
            name, target = one.subset, one.least if rule == "min" else one.most
            held, state = existing.get(name), found.get(name)
            if rule == "max" and held is not None and state is not None and state.unschedulable:
                target = held.spec_replicas
            share = min(int32(target - given[name]), left)
            given[name] = int32(given[name] + share)
            room[name] = int32(room[name] - share)
            taken = max(0, int32(share + room[name])) if room[name] < 0 else share
            left = int32(left - taken)
            steps.append(AllocationStep(name, rule, share, left))
    return Allocation(NAME, given, tuple(steps))


def _room(held: ExistingSubset | None, found: Schedulability | None) -> int:
    """How many of a subset's replicas count against the total; reserved ones do not."""
    if held is None or found is None or not (found.unschedulable or found.marked):
        return UNLIMITED
    return held.spec_replicas - found.reserved_pods
