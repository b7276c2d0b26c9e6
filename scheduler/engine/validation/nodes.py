"""Nodes: their taints and their resources."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import Node, Taint
from scheduler.engine.validation import resources
from scheduler.engine.validation.rules import duplicate, fault, one_of, required, spelled
from scheduler.engine.values import syntax

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def node(given: Node) -> Iterator[Invalid]:
    yield from taints("spec.taints", given.spec.taints or [])
    if given.status is not None:
        yield from resources.resource_list("status.capacity", given.status.capacity, resources.any_name)
        yield from resources.resource_list("status.allocatable", given.status.allocatable, resources.any_name)


def taints(path: str, given: list[Taint]) -> Iterator[Invalid]:
    seen: set[tuple[str, str]] = set()
    for number, taint in enumerate(given):
        here = f"{path}[{number}]"
        if complaints := syntax.qualified_name(taint.key):
            yield fault(f"{here}.key", taint.key, "; ".join(complaints))
        yield from spelled(f"{here}.value", taint.value or "", syntax.label_value)
        if not taint.effect:
            yield required(f"{here}.effect")
        yield from one_of(f"{here}.effect", taint.effect, EFFECTS)
        if (taint.key, taint.effect) in seen:
            yield duplicate(here, f"{taint.key}:{taint.effect}")
        seen.add((taint.key, taint.effect))
