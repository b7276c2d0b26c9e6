"""The least and the most that each subset may have, and filling between them in the order of the topology."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from scheduler.engine.uniteddeployment.allocation import UNLIMITED, AllocationError, AllocationStep
from scheduler.engine.uniteddeployment.numbers import parsed_or
from scheduler.engine.uniteddeployment.spec import UnitedDeployment


class Bounds(msgspec.Struct, frozen=True):
    subset: str
    least: int
    most: int


def raw_bounds(ud: UnitedDeployment) -> list[Bounds]:
    """minReplicas and maxReplicas as numbers. Raises AllocationError where one is above the other.

    Of two subsets of one name (which the webhook refuses) the later one's count for both.
    """
    total = ud.spec.replicas or 0
    found = []
    for index, one in enumerate(ud.subsets):
        least, most = parsed_or(one.min_replicas, total, 0), parsed_or(one.max_replicas, total, UNLIMITED)
        if least > most:
            raise AllocationError(
                f"subset[{index}].maxReplicas({most}) must be more than or equal to minReplicas({least})"
            )
        found.append(Bounds(one.name, least, most))
    latest = {one.subset: one for one in found}
    return [latest[one.subset] for one in found]


def fill(bounds: Sequence[Bounds], total: int) -> tuple[dict[str, int], tuple[AllocationStep, ...]]:
    """Everybody's least first, then up to everybody's most, always in order; what fits nowhere is dropped."""
    given = dict.fromkeys((one.subset for one in bounds), 0)
    steps = []
    left = total
    for rule in ("min", "max"):
        for one in bounds:
            room = one.least if rule == "min" else max(one.most - one.least, 0)
            share = max(min(room, left), 0)
            given[one.subset] = share if rule == "min" else given[one.subset] + share
            left -= share
            steps.append(AllocationStep(one.subset, rule, share, left))
        if left <= 0:
            break
    return given, tuple(steps)
