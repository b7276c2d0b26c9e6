"""What is left of each resource that a pod asks for, node by node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.framework import BoolArray, Int64Array
from scheduler.engine.plugins.node_resources_fit import NodeResourcesFit
from scheduler.engine.values.quantity import format_compared
from scheduler.engine.values.requests import PODS

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


@dataclass(frozen=True, slots=True)
class Room:
    """One resource in the engine's units. `free` (nothing where a node is overcommitted) and `allocatable` are int64
    over all rows.
    """

    resource: str
    asked: int
    free: Int64Array
    allocatable: Int64Array

    @property
    def short(self) -> BoolArray:
        return self.free < self.asked

    @property
    def missing(self) -> Int64Array:
        """How much more it would take."""
        return np.maximum(self.asked - self.free, 0)

    def text(self, amount: int) -> str:
        """`6500m cpu`, `8 gpu`."""
        return self.texts(amount)[0]

    def texts(self, *amounts: int) -> list[str]:
        """What one sentence compares, in one unit: `48000m cpu`, `7860m cpu`."""
        return [f"{text} {short_name(self.resource)}" for text in format_compared(self.resource, *amounts)]

    def largest(self, rows: BoolArray) -> tuple[int, int]:
        """(row, how much) of the most that is free on one of these nodes; of equals the first row."""
        places = np.flatnonzero(rows)
        best = int(places[int(self.free[places].argmax())])
        return best, int(self.free[best])


def rooms(cycle: Cycle) -> list[Room]:
    """Of everything that NodeResourcesFit compares, in its order, the number of pods last; [] without that filter."""
    plugin = next((one for one in cycle.at("filter") if isinstance(one, NodeResourcesFit)), None)
    return [_room(cycle, *one) for one in [*plugin.checked(cycle.pod), (PODS, 1)]] if plugin is not None else []


def _room(cycle: Cycle, resource: str, asked: int) -> Room:
    columns = cycle.snapshot.columns
    allocatable = columns[("allocatable", resource)]
    return Room(resource, asked, np.maximum(allocatable - columns[("requested", resource)], 0), allocatable.copy())


def short_name(resource: str) -> str:
    """`nvidia.com/gpu` is `gpu` in a sentence."""
    return resource.rpartition("/")[2]
