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
        self._kinds: list[tuple[PodInfo, Int64Array]] = []

    def count(self, columns: Columns, key: Key, pods: Callable[[int], Iterable[PodInfo]]) -> Int64Array:
        """Per row, the sum of what the counter `key` makes of the pods there. `pods(row)`: the pods of a row."""
        changed = columns.pod_log.since(self._position) if self._position >= 0 else None
        if changed is None or len(changed) * 4 > columns.size:
            self._take(columns, pods)
            changed = []
        of, counted = columns.counters.of, np.zeros(columns.size, np.int64)
        for example, rows in self._kinds:
            if amount := of(example).get(key, 0):
                np.add.at(counted, rows, amount)
        for row in dict.fromkeys(changed):
            counted[row] = sum([of(pod).get(key, 0) for pod in pods(row)])
        return counted

    def _take(self, columns: Columns, pods: Callable[[int], Iterable[PodInfo]]) -> None:
        """Every kind with one of its pods and the rows of all of them."""
        self._position = columns.pod_log.position
        there: dict[Kind, list[int]] = {}
        examples: dict[Kind, PodInfo] = {}
        for row in range(columns.size):
            for pod in pods(row):
                if pod.kind in there:
                    there[pod.kind].append(row)
                else:
                    there[pod.kind], examples[pod.kind] = [row], pod
        self._kinds = [(examples[kind], np.array(rows, np.int64)) for kind, rows in there.items()]
