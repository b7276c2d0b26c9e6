"""Facts about single rows that are dear to find out, kept until the row changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from scheduler.engine.objects import Pod

if TYPE_CHECKING:
    from scheduler.engine.cluster.change_log import ChangeLog
    from scheduler.engine.cluster.columns import Columns

T = TypeVar("T")
Waiting: TypeAlias = tuple[Pod, ...]
"""Pods that wait for a node and count as if they were there."""

_ARRAYS = 64
"""The room that facts take, about, in arrays over all rows."""


def facts(
    columns: Columns, key: Hashable, rows: Mapping[int, Waiting], find: Callable[[list[int]], Mapping[int, T]]
) -> dict[int, T]:
    """Row → fact, in the order of `rows`. `find(some rows)` is asked for those that are not known.

    A fact is one of the row and of the pods that wait for its node, for all who have the same `key`.
    """
    if columns.memo is None:
        return dict(find(list(rows)))
    known: _Facts[T] = columns.memo.take(key) or _Facts()
    found = known.renewed(columns.pod_log, rows, find)
    columns.memo.put(key, known, _ARRAYS)
    return found


class _Facts(Generic[T]):
    def __init__(self) -> None:
        self._known: dict[int, tuple[Waiting, T]] = {}
        self._position = 0

    def renewed(
        self, log: ChangeLog, rows: Mapping[int, Waiting], find: Callable[[list[int]], Mapping[int, T]]
    ) -> dict[int, T]:
        self._forget(log)
        known = self._known
        missing = [row for row, waiting in rows.items() if row not in known or known[row][0] != waiting]
        if missing:
            fresh = find(missing)
            known.update({row: (rows[row], fresh[row]) for row in missing})
        return {row: known[row][1] for row in rows}

    def _forget(self, log: ChangeLog) -> None:
        changed = log.since(self._position)
        if changed is None:
            self._known.clear()
        else:
            for row in changed:
                self._known.pop(row, None)
        self._position = log.position
