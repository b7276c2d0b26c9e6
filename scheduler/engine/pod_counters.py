"""Columns that count pods: how many on each node match a selector, kept up as pods come and go, never recounted."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeAlias

from scheduler.engine.pod_info import PodInfo

CounterKey: TypeAlias = tuple[str, ...]
Amount: TypeAlias = Callable[[PodInfo], int]


class PodCounters:
    """What each counter makes of a pod. Pods of one kind (`PodInfo.kind`) are asked about once.

    Forks of columns share this: each updates those counters that it has a column for.
    """

    def __init__(self) -> None:
        self._amounts: dict[CounterKey, Amount] = {}
        self._known: dict[Hashable, tuple[PodInfo, dict[CounterKey, int]]] = {}

    def __len__(self) -> int:
        return len(self._amounts)

    def register(self, key: CounterKey, amount: Amount) -> None:
        """`amount(pod)`: what a pod adds to its node; may depend on what `PodInfo.kind` holds only."""
        if key in self._amounts:
            return
        self._amounts[key] = amount
        for pod, counted in self._known.values():
            if found := amount(pod):
                counted[key] = found

    def of(self, pod: PodInfo) -> dict[CounterKey, int]:
        """Counter → what this pod adds to it, zeros left out."""
        known = self._known.get(pod.kind)
        if known is None:
            counted = {key: found for key, amount in self._amounts.items() if (found := amount(pod))}
            known = self._known[pod.kind] = (pod, counted)
        return known[1]

    def forget_kinds(self, limit: int) -> None:
        """Drop what is remembered of pods once there are more kinds than `limit`; it is found out again when needed."""
        if len(self._known) > limit:
            self._known.clear()
