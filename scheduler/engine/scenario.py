"""A scenario: what is to happen to a cluster at given virtual moments, planned beforehand and played by the clock."""

from __future__ import annotations

import heapq
from typing import Any

import msgspec

ACTIONS = ("add", "update", "delete")


class ScenarioStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """`manifest`: admitted and complete, None for `delete`. `at_us`: virtual µs since the epoch."""

    at_us: int
    action: str
    kind: str
    namespace: str
    name: str
    manifest: dict[str, Any] | None = None

    @property
    def object(self) -> str:
        """`Pod default/web-1`, `Node a`."""
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


class Agenda:
    """Steps that have not been played yet, by moment, then in the order in which they were planned."""

    def __init__(self) -> None:
        self.planned = 0
        self._steps: dict[int, ScenarioStep] = {}
        self._heap: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, step: ScenarioStep, number: int | None = None) -> None:
        """Each step has a number of its own in the cluster's life: the next one, or the one that it had before."""
        number = self.planned if number is None else number
        self.planned = max(self.planned, number + 1)
        self._steps[number] = step
        heapq.heappush(self._heap, (step.at_us, number))

    def played(self, number: int) -> None:
        del self._steps[number]

    def clear(self) -> None:
        self._steps.clear()
        self._heap.clear()

    def first(self) -> tuple[int, ScenarioStep] | None:
        """The number of the next step and the step."""
        while self._heap and self._heap[0][1] not in self._steps:
            heapq.heappop(self._heap)
        return (number := self._heap[0][1], self._steps[number]) if self._heap else None

    def next_us(self) -> int | None:
        first = self.first()
        return first[1].at_us if first else None

    def steps(self) -> list[tuple[int, ScenarioStep]]:
        """All that is still to come, in order."""
        return [(number, self._steps[number]) for _, number in sorted(self._heap) if number in self._steps]
