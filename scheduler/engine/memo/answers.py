"""Answers kept from one pod to the next of the same shape; only rows that changed since are asked again.

What is kept is invisible in results: a test runs the same workload with and without it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.framework import Nodes, Reads

if TYPE_CHECKING:
    from scheduler.engine.cluster.change_log import ChangeLog
    from scheduler.engine.cluster.columns import Columns

KEPT_BYTES = 64 * 2**20


@dataclass(slots=True)
class _Kept:
    values: NDArray[Any]
    position: int


class Memo:
    """Room for arrays over all rows, about `KEPT_BYTES` of them, the least recently used given up first.

    Whoever brings something up to date takes it out and puts it back. Threads that read one snapshot at the same time
    may do the same work twice, with the same result.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._kept: dict[Hashable, tuple[Any, int]] = {}
        self._arrays = 0
        self._limit = max(64, KEPT_BYTES // (8 * max(1, columns.size)))

    def take(self, key: Hashable) -> Any:
        """What was put there last, None if it is gone."""
        found = self._kept.pop(key, None)
        if found is None:
            return None
        self._arrays -= found[1]
        return found[0]

    def put(self, key: Hashable, value: Any, arrays: int) -> None:
        """Keep `value`, which holds so many arrays over all rows."""
        self._kept[key] = value, arrays
        self._arrays += arrays
        while self._arrays > self._limit and len(self._kept) > 1:
            self.take(next(iter(self._kept)))

    def scores(self, key: Hashable, reads: Reads, compute: Callable[[Nodes], NDArray[Any]]) -> NDArray[Any]:
        """An answer per row. Valid until the columns change."""
        log = self._columns.node_log if reads == "node" else self._columns.pod_log
        kept: _Kept | None = self.take(key)
        if kept is None or not self._renewed(kept, log, compute):
            position = log.position
            kept = _Kept(compute(self._columns.all_nodes), position)
        self.put(key, kept, 1)
        return kept.values

    def _renewed(self, kept: _Kept, log: ChangeLog, compute: Callable[[Nodes], NDArray[Any]]) -> bool:
        """Ask the changed rows again; False if they are too many."""
        position, rows = log.position, log.since(kept.position)
        if rows is None or len(rows) * 4 > self._columns.size:
            return False
        if rows:
            changed = np.array(list(dict.fromkeys(rows)), np.int64)
            kept.values[changed] = compute(Nodes(self._columns, changed))
            kept.position = position
        return True
