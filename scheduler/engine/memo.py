"""Answers kept from one pod to the next of the same shape; only rows that changed since are asked again.

What is kept is invisible in results: a test runs the same workload with and without it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.framework import Int64Array, Nodes, Reads, Status, Verdict

if TYPE_CHECKING:
    from scheduler.engine.columns import Columns

KEPT_BYTES = 64 * 2**20
_SHORT_LOG = 4096


class ChangeLog:
    """Rows in the order in which they changed. Positions count from the beginning of time; old entries are dropped."""

    __slots__ = ("_base", "_rows")

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._base = 0

    @property
    def position(self) -> int:
        return self._base + len(self._rows)

    def append(self, row: int) -> None:
        self._rows.append(row)

    def since(self, position: int) -> list[int] | None:
        """The rows that changed after `position`; None if that is too long ago to say."""
        return self._rows[position - self._base :] if position >= self._base else None

    def trim(self, size: int) -> None:
        """Forget the older half once the log is longer than the cluster has rows."""
        if len(self._rows) > max(_SHORT_LOG, 2 * size):
            half = len(self._rows) // 2
            del self._rows[:half]
            self._base += half


@dataclass(slots=True)
class _Kept:
    values: NDArray[Any]
    statuses: tuple[Status, ...]
    refused: int
    position: int


class Memo:
    """At most `KEPT_BYTES` of arrays over all rows, the least recently used given up first.

    Threads that read one snapshot at the same time may do the same work twice, with the same result.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._kept: dict[Hashable, _Kept] = {}
        self._limit = max(64, KEPT_BYTES // (8 * max(1, columns.size)))

    def scores(self, key: Hashable, reads: Reads, compute: Callable[[Nodes], Int64Array]) -> Int64Array:
        """int64 over all rows. Valid until the columns change."""
        kept, changed = self._look(key, reads)
        if kept is None or changed is None:
            values = compute(self._columns.all_nodes)
            self._keep(key, _Kept(values, (), 0, self._log(reads).position))
            return values
        if len(changed):
            position = self._log(reads).position
            kept.values[changed] = compute(Nodes(self._columns, changed))
            kept.position = position
        return kept.values

    def verdict(self, key: Hashable, reads: Reads, compute: Callable[[Nodes], Verdict]) -> Verdict:
        """A filter's verdict over all rows. Valid until the columns change."""
        kept, changed = self._look(key, reads)
        if kept is None or changed is None:
            verdict = compute(self._columns.all_nodes)
            self._keep(key, _Kept(verdict.index, verdict.statuses, verdict.refused, self._log(reads).position))
            return verdict
        if len(changed):
            position = self._log(reads).position
            self._patch(kept, changed, compute(Nodes(self._columns, changed)))
            kept.position = position
        return Verdict(kept.values, kept.statuses, kept.refused)

    def _patch(self, kept: _Kept, rows: Int64Array, verdict: Verdict) -> None:
        """Write a verdict on some rows into the kept one, whose list of statuses may grow."""
        if verdict.refused:
            known = {status: number for number, status in enumerate(kept.statuses)}
            numbers = [known.setdefault(status, len(known)) for status in verdict.statuses]
            kept.statuses = tuple(known)
            kept.values[rows] = np.array(numbers, np.int16)[verdict.index]
        else:
            kept.values[rows] = 0
        kept.refused = int(np.count_nonzero(kept.values))

    def _log(self, reads: Reads) -> ChangeLog:
        return self._columns.node_log if reads == "node" else self._columns.pod_log

    def _look(self, key: Hashable, reads: Reads) -> tuple[_Kept | None, Int64Array | None]:
        """What is kept and the rows to ask again; None for rows means all of them."""
        kept = self._kept.pop(key, None)
        if kept is None:
            return None, None
        self._kept[key] = kept
        changed = self._log(reads).since(kept.position)
        if changed is None or len(changed) * 4 > self._columns.size:
            return kept, None
        return kept, np.array(list(dict.fromkeys(changed)), np.int64)

    def _keep(self, key: Hashable, kept: _Kept) -> None:
        self._kept[key] = kept
        if len(self._kept) > self._limit:
            self._kept.pop(next(iter(self._kept)), None)
