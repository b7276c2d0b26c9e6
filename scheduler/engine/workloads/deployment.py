"""Deployments: ReplicaSets that take over from one another. Source: v1.34.1 pkg/controller/deployment.

All functions answer how many replicas each ReplicaSet is to have from now on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from scheduler.engine.workloads.amounts import amount


class Generation(msgspec.Struct, frozen=True):
    """A ReplicaSet of a Deployment. `desired`, `most`: the Deployment's size when it was scaled, by its annotations."""

    name: str
    replicas: int = 0
    available: int = 0
    created_us: int = 0
    desired: int | None = None
    most: int | None = None


class Limits(msgspec.Struct, frozen=True):
    """`surge` above and `unavailable` below the size during a rolling update."""

    surge: int
    unavailable: int


def limits(strategy: dict[str, Any], replicas: int) -> Limits:
    """25 % each where nothing is given; one of the two must allow something, else nothing could ever move."""
    if strategy.get("type") == "Recreate":
        return Limits(0, 0)
    rolling = strategy.get("rollingUpdate") or {}
    surge = amount(rolling.get("maxSurge"), replicas, up=True, absent="25%")
    unavailable = amount(rolling.get("maxUnavailable"), replicas, up=False, absent="25%")
    return Limits(surge, 1 if not surge and not unavailable else min(unavailable, replicas))


def scaled(replicas: int, strategy: dict[str, Any], new: Generation, old: Sequence[Generation]) -> dict[str, int]:
    """The sizes after one look, by name; `new` is the generation of today's template, perhaps just made with 0."""
    everyone = [*old, new]
    if any(one.replicas and one.desired is not None and one.desired != replicas for one in everyone):
        return _resized(replicas, strategy, new, old)
    sizes = {one.name: one.replicas for one in everyone}
    if strategy.get("type") == "Recreate":
        sizes |= {one.name: 0 for one in old}
        if not any(one.replicas for one in old):
            sizes[new.name] = replicas
        return sizes
    allowed = limits(strategy, replicas)
    sizes[new.name] = _grown(replicas, allowed, new, everyone)
    if sizes[new.name] != new.replicas:
        return sizes
    return sizes | _shrunk(replicas, allowed, new, old)


def _grown(replicas: int, allowed: Limits, new: Generation, everyone: Sequence[Generation]) -> int:
    """The new one grows as far as the surge lets it."""
    room = replicas + allowed.surge - sum(one.replicas for one in everyone)
    if new.replicas > replicas:
        return replicas
    return new.replicas + max(min(room, replicas - new.replicas), 0)


def _shrunk(replicas: int, allowed: Limits, new: Generation, old: Sequence[Generation]) -> dict[str, int]:
    """Old ones shrink, pods that are not available first, while enough stay available."""
    sizes = {one.name: one.replicas for one in old}
    ages = sorted((one for one in old if one.replicas), key=lambda one: (one.created_us, one.name))
    least = replicas - allowed.unavailable
    most = sum(sizes.values()) + new.replicas - least - (new.replicas - new.available)
    if most <= 0:
        return sizes
    left = most
    for one in ages:
        cut = min(left, one.replicas - one.available)
        if cut > 0:
            sizes[one.name] -= cut
            left -= cut
    spare = sum(one.available for one in (*old, new)) - least
    for one in ages:
        cut = min(sizes[one.name], spare)
        if cut > 0:
            sizes[one.name] -= cut
            spare -= cut
    return sizes


def _resized(replicas: int, strategy: dict[str, Any], new: Generation, old: Sequence[Generation]) -> dict[str, int]:
    """The Deployment itself was resized: one generation takes it all; several in a rolling update each their part."""
    everyone = [*old, new]
    sizes = {one.name: one.replicas for one in everyone}
    active = [one for one in everyone if one.replicas]
    if len(active) <= 1:
        sizes[(active or [new])[0].name] = replicas
        return sizes
    if new.replicas == replicas == new.available and new.desired == replicas:
        return sizes | {one.name: 0 for one in old}
    if strategy.get("type") == "Recreate":
        return sizes
    return sizes | _proportional(replicas, limits(strategy, replicas), active)


def _proportional(replicas: int, allowed: Limits, active: list[Generation]) -> dict[str, int]:
    """Each part in proportion to its size; what rounding leaves over goes to the largest."""
    target = replicas + allowed.surge if replicas else 0
    add = target - sum(one.replicas for one in active)
    order = sorted(active, key=lambda one: (-one.replicas, -one.created_us if add > 0 else one.created_us, one.name))
    sizes, given = {}, 0
    for one in order:
        part = _part(one, target, add, given) if add else 0
        sizes[one.name] = max(one.replicas + part, 0)
        given += part
    sizes[order[0].name] = max(sizes[order[0].name] + add - given, 0)
    return sizes


def _part(one: Generation, target: int, add: int, given: int) -> int:
    before = one.most or one.desired or 1
    fraction = _rounded(one.replicas * target / before) - one.replicas
    left = add - given
    return min(fraction, left) if add > 0 else max(fraction, left)


def _rounded(value: float) -> int:
    """Halves away from zero; sizes are never negative."""
    return int(value + 0.5)
