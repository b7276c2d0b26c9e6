"""Small parts of a simulation: the open cycle, what is due to end, and which rows changed since the last look."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.objects import ObjectKey, Pod
from scheduler.engine.profile import Profile

OrderedKey: TypeAlias = tuple[int, str]


@dataclass(slots=True)
class OpenCycle:
    """An attempt between its Pop and its end. `popped_seq`: the seq whose state it reads, however long it is open.

    `pod`, `profile`, `snapshot`, `nominated` (pods by nominated node) and `start_index` are as they were at the
    Pop. `phase`: the last one recorded as shown, "" before the first.
    """

    number: int
    pod: Pod
    attempt: int
    source: str
    popped_seq: int
    popped_us: int
    profile: Profile
    configuration: dict[str, Any]
    snapshot: Snapshot
    nominated: Mapping[str, Sequence[Pod]]
    start_index: int
    phase: str = ""


class Departures:
    """Bound pods that leave by themselves (annotation `podium.dev/duration`), by the moment of their leaving."""

    def __init__(self) -> None:
        self._at: dict[str, int] = {}
        self._heap: list[OrderedKey] = []

    def __len__(self) -> int:
        """Pods that will leave by themselves."""
        return len(self._at)

    def add(self, key: str, at_us: int) -> None:
        self._at[key] = at_us
        heapq.heappush(self._heap, (at_us, key))

    def remove(self, key: str) -> None:
        self._at.pop(key, None)

    def next_us(self) -> int | None:
        self._drop_stale()
        return self._heap[0][0] if self._heap else None

    def take_due(self, now_us: int) -> list[str]:
        """Keys of the pods whose time is over, the earliest first; their deletion is up to the caller."""
        due = []
        while (at_us := self.next_us()) is not None and at_us <= now_us:
            due.append(heapq.heappop(self._heap)[1])
        return due

    def dump(self) -> dict[str, int]:
        return dict(self._at)

    def _drop_stale(self) -> None:
        while self._heap and self._at.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)


class Changes:
    """Whose rows must be written anew: objects, queue entries of pods (`namespace/name`), usage of nodes (names)."""

    __slots__ = ("nodes", "objects", "pods", "profiles")

    def __init__(self) -> None:
        self.objects: set[ObjectKey] = set()
        self.pods: set[str] = set()
        self.nodes: set[str] = set()
        self.profiles = False

    def __bool__(self) -> bool:
        return bool(self.objects or self.pods or self.nodes or self.profiles)
