"""Which kinds of pods are on which rows: a counter that comes into being later asks each kind, not each pod."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.framework import Int64Array

if TYPE_CHECKING:
    from scheduler.engine.cluster.columns import Columns
    from scheduler.engine.cluster.keys import Key
    from scheduler.engine.cluster.pod_info import Kind, PodInfo


class Census:
    """Taken when first needed. Rows that changed since are looked at one by one, until they are too many."""

    def __init__(self) -> None:
        self._position = -1
        self._rows = self._numbers = np.zeros(0, np.int64)
        self._examples: list[PodInfo] = []

    def count(self, columns: Columns, key: Key, pods: Callable[[int], Iterable[PodInfo]]) -> Int64Array:
        """Per row, the sum of what the counter `key` makes of the pods there. `pods(row)`: the pods of a row."""
        changed = columns.pod_log.since(self._position) if self._position >= 0 else None
        if changed is None or len(changed) * 4 > columns.size:
            self._take(columns, pods)
            changed = []
        of = columns.counters.of
        amounts = np.array([of(pod).get(key, 0) for pod in self._examples], np.int64)
        counted: Int64Array = np.bincount(self._rows, amounts[self._numbers], columns.size).astype(np.int64)
        for row in dict.fromkeys(changed):
            counted[row] = sum([of(pod).get(key, 0) for pod in pods(row)])
        return counted

    def _take(self, columns: Columns, pods: Callable[[int], Iterable[PodInfo]]) -> None:
        known: dict[Kind, int] = {}
        self._position, self._examples = columns.pod_log.position, []
        rows, numbers = list[int](), list[int]()
        for row in range(columns.size):
            for pod in pods(row):
                number = known.setdefault(pod.kind, len(known))
                if number == len(self._examples):
                    self._examples.append(pod)
                rows.append(row)
                numbers.append(number)
        self._rows, self._numbers = np.array(rows, np.int64), np.array(numbers, np.int64)
