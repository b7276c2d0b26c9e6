"""Pods that come in place of others: the same anew, or what a controller makes instead."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler.engine.controllers.owners import controller_of
from scheduler.engine.fixes.edits import is_remade
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.simulation import Simulation


def successors(base: Simulation, copy: Simulation, gone: Iterable[str]) -> dict[str, str]:
    """By key of a pod of `base` that was deleted in `copy`, the key of the pod that replaces it, if one does yet."""
    found = dict[str, str]()
    orphans = list[tuple[str, ObjectKey]]()
    for key in gone:
        before = base.pods.get(key)
        if key in copy.pods:
            found[key] = key
        elif before is not None and is_remade(base, before) and (owner := controller_of(before)) is not None:
            orphans.append((key, owner))
    if not orphans:
        return found
    owners = {owner for _, owner in orphans}
    fresh: dict[ObjectKey, list[str]] = {}
    for key, pod in copy.pods.items():
        if key not in base.pods and (owner := controller_of(pod)) in owners and owner is not None:
            fresh.setdefault(owner, []).append(key)
    return found | {key: made.pop(0) for key, owner in orphans if (made := fresh.get(owner))}


def are_missing(base: Simulation, gone: Iterable[str], found: dict[str, str]) -> bool:
    """Whether a controller has still to make one of them anew."""
    return any(key not in found and (pod := base.pods.get(key)) is not None and is_remade(base, pod) for key in gone)
