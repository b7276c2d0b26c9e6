"""States kept by this process, lent to one thread at a time. The pool is a cache, never the truth."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scheduler.engine.simulation.simulation import Simulation

Identity = tuple[int, Any]
"""Cluster id and the moment of its creation: a restored or recreated database must not meet old states."""

ALIKE = 2  # idle states of one seq: a writer need not make one while a page is being read from the other


@dataclass(frozen=True, slots=True, eq=False)
class _Idle:
    identity: Identity
    simulation: Simulation
    weight: int


class Pool:
    """Idle states, least recently used first; `capacity` counts objects (pods and nodes), at least two states stay."""

    def __init__(self, capacity: int, weigh: Callable[[Simulation], int]) -> None:
        self._capacity = capacity
        self._weigh = weigh
        self._idle: list[_Idle] = []
        self._mutex = threading.Lock()

    def take(self, identity: Identity, seq: int) -> Simulation | None:
        """The idle state nearest to `seq` from below; it leaves the pool."""
        with self._mutex:
            fitting = [idle for idle in self._idle if idle.identity == identity and idle.simulation.seq <= seq]
            if not fitting:
                return None
            nearest = max(fitting, key=lambda idle: idle.simulation.seq)
            self._idle.remove(nearest)
            return nearest.simulation

    def put(self, identity: Identity, simulation: Simulation) -> None:
        idle = _Idle(identity, simulation, self._weigh(simulation))
        with self._mutex:
            alike = [other for other in self._idle if _same(other, idle)]
            if len(alike) >= ALIKE:
                self._idle.remove(alike[0])
            self._idle.append(idle)
            while len(self._idle) > 2 and sum(other.weight for other in self._idle) > self._capacity:
                self._idle.pop(0)

    def forget(self, cluster_id: int | None = None) -> None:
        """Drop what is idle of one cluster, or of all."""
        with self._mutex:
            self._idle = [idle for idle in self._idle if cluster_id not in (None, idle.identity[0])]

    def __len__(self) -> int:
        return len(self._idle)


def _same(one: _Idle, other: _Idle) -> bool:
    return one.identity == other.identity and one.simulation.seq == other.simulation.seq
