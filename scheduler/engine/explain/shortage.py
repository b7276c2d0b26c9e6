"""How much of a resource a node lacks for a pod, in numbers and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler.engine.framework import Step
from scheduler.engine.values.quantity import format_bytes, format_cpu
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


@dataclass(frozen=True, slots=True)
class Shortage:
    """What one node has free of a resource and a pod asks, in the engine's units (cpu in milli, all else in units)."""

    resource: str
    asked: int
    free: int

    @classmethod
    def of(cls, step: Step) -> Shortage:
        """From a comparison `fits`; an overcommitted node has nothing free."""
        asked, allocatable, requested = step.inputs
        return cls(step.name, asked, max(0, allocatable - requested))

    @property
    def share(self) -> float:
        """What is missing, of what is asked: 0…1."""
        return (self.asked - self.free) / self.asked

    def __str__(self) -> str:
        """`cpu: asks 500m, free 39m`."""
        asked, free = written(self.resource, self.asked), written(self.resource, self.free)
        return f"{self.resource}: asks {asked}, free {free}"


def shortages(cycle: Cycle, row: int, plugin: str = "NodeResourcesFit") -> list[Shortage]:
    """Every resource of which the node on this row has too little; [] where the filter is not asked."""
    asked = next((one for one in cycle.active_filters if one.name == plugin), None)
    steps = asked.explain_filter(cycle, row) if asked is not None else []
    return [Shortage.of(step) for step in steps if step.op == "fits" and step.result is False]


def told(short: Sequence[Shortage], who: str = "it has") -> str:
    """`it has 1 nvidia.com/gpu free, the pod asks 4`; units stand once."""
    free = listed([f"{written(one.resource, one.free)} {one.resource}" for one in short])
    asked = listed([written(one.resource, one.asked) for one in short])
    return f"{who} {free} free, the pod asks {asked}"


def written(resource: str, amount: int) -> str:
    """An amount as a quantity: `500m`, `2Gi`, `4`."""
    if resource == "cpu":
        return format_cpu(amount)
    if resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-"):
        return format_bytes(amount)
    return str(amount)
