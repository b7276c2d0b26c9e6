"""How far a node is from taking a pod: what is missing, in numbers and in words. Nobody else words a distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler.engine.cycle.unprepared import explained_filter
from scheduler.engine.framework import Step
from scheduler.engine.values.quantity import format_compared
from scheduler.engine.values.requests import PODS
from scheduler.engine.words import count, listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


@dataclass(frozen=True, slots=True)
class Shortage:
    """What one node has free of a resource and a pod asks, in the engine's units (cpu in milli, all else in units)."""

    resource: str
    asked: int
    free: int


def told(short: Sequence[Shortage], who: str = "it has") -> str:
    """`it has 1 nvidia.com/gpu free, the pod asks for 4`: of several, each amount has its name; both in one unit."""
    amounts = [format_compared(one.resource, one.free, one.asked) for one in short]
    free = listed([f"{free} {one.resource}" for one, (free, _) in zip(short, amounts, strict=True)])
    asked = [f"{asked} {one.resource}" for one, (_, asked) in zip(short, amounts, strict=True)]
    return f"{who} {free} free, the pod asks for {listed(asked) if len(asked) > 1 else amounts[0][1]}"


def distances(cycle: Cycle, row: int, plugin: str) -> list[str]:
    """How far a node is from passing one filter, where numbers say it: `needs 300m more cpu`."""
    return [text for step in _failed(cycle, row, plugin) if (text := distance(step))]


def _failed(cycle: Cycle, row: int, plugin: str) -> list[Step]:
    """The conditions of a filter that do not hold on a node; none where PreFilter refused the pod before any ran."""
    if cycle.filtered is None:
        return []
    asked = next((one for one in cycle.active_filters if one.name == plugin), None)
    steps = explained_filter(cycle, asked, row) if asked is not None else []
    return [step for step in steps if step.result is False]


def distance(step: Step) -> str:
    """How far a condition is from holding; "" where it is no comparison of numbers."""
    if step.op == "fits":
        return _resource(step)
    if step.op == "attachable":
        new, limit, held = step.inputs
        return f"holds {held} of at most {count(limit, 'volume')} of {step.name}, the pod adds {new}"
    if step.op == "within_skew":
        pods, itself, least, max_skew = step.inputs
        over = pods + itself - least - max_skew
        return f"{step.name}: {count(pods, 'pod')} there, minimum {least}; skew {over + max_skew}, {over} too many"
    return ""


def _resource(step: Step) -> str:
    """What is lacking now, and whether even the empty node would be too small."""
    (asked, allocatable, requested), resource = step.inputs, step.name
    if resource == PODS:
        return f"holds {requested} of at most {count(allocatable, 'pod')}"
    lacks = asked - (allocatable - requested)
    if asked <= allocatable:
        return f"needs {format_compared(resource, lacks)[0]} more {resource}"
    more, whole = format_compared(resource, lacks, allocatable)
    return f"needs {more} more {resource}, and has only {whole} in all"
