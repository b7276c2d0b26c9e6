"""Which workloads a controller is to look at and when, which pods become ready and when. Moments are virtual µs."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from scheduler.engine.objects import ObjectKey

Key = TypeVar("Key", ObjectKey, str)


class Due(Generic[Key]):
    """Keys with a moment each, the earliest first; keys of one moment in the order in which they were marked."""

    def __init__(self) -> None:
        self._at: dict[Key, tuple[int, int]] = {}
        self._heap: list[tuple[int, int, Key]] = []
        self._marks = 0

    def __len__(self) -> int:
        return len(self._at)

    def mark(self, key: Key, at_us: int) -> None:
        """An earlier mark stays."""
        held = self._at.get(key)
        if held is None or at_us < held[0]:
            self._marks += 1
            self._at[key] = (at_us, self._marks)
            heapq.heappush(self._heap, (at_us, self._marks, key))

    def remove(self, key: Key) -> None:
        self._at.pop(key, None)

    def moment_of(self, key: Key) -> int | None:
        """None if it is not due at all."""
        held = self._at.get(key)
        return held[0] if held is not None else None

    def next_us(self) -> int | None:
        while self._heap and self._at.get(self._heap[0][2]) != self._heap[0][:2]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def first(self, now_us: int) -> Key | None:
        """The first key that is due, which stays until it is removed."""
        at_us = self.next_us()
        return self._heap[0][2] if at_us is not None and at_us <= now_us else None

    def dump(self) -> list[tuple[Key, int]]:
        """In the order in which they are due."""
        ordered = sorted(self._at.items(), key=lambda item: item[1])
        return [(key, at_us) for key, (at_us, _) in ordered]

    def load(self, marks: Iterable[tuple[Key, int]]) -> None:
        for key, at_us in marks:
            self.mark(key, at_us)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._at)


class Work:
    """`failures`: how often in a row a controller failed on a workload."""

    def __init__(self) -> None:
        self.reconciles: Due[ObjectKey] = Due()
        self.readying: Due[str] = Due()
        self.failures: dict[ObjectKey, int] = {}

    def next_us(self) -> int | None:
        moments = [at for due in (self.reconciles, self.readying) if (at := due.next_us()) is not None]
        return min(moments, default=None)

    def forget(self, key: ObjectKey) -> None:
        self.reconciles.remove(key)
        self.failures.pop(key, None)
