"""Which rows of the columns changed, and when: what tells a kept answer which part of it to ask again."""

from __future__ import annotations

from collections.abc import Sequence

_SHORT_LOG = 4096


class ChangeLog:
    """Rows in the order in which they changed. Positions count from the beginning of time; old entries are dropped."""

    __slots__ = ("_base", "_rows", "position")

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._base = 0
        self.position = 0

    def append(self, row: int) -> None:
        self._rows.append(row)
        self.position += 1

    def extend(self, rows: Sequence[int]) -> None:
        self._rows.extend(rows)
        self.position += len(rows)

    def since(self, position: int) -> list[int] | None:
        """The rows that changed after `position`; None if that is too long ago to say."""
        return self._rows[position - self._base :] if position >= self._base else None

    def trim(self, size: int) -> None:
        """Forget the older half once the log is longer than the cluster has rows."""
        if len(self._rows) > max(_SHORT_LOG, 2 * size):
            half = len(self._rows) // 2
            del self._rows[:half]
            self._base += half
