"""Numbers for values: a column of small integers and the list of what they stand for."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Vocabulary(Generic[T]):
    """Append-only, so that copies of a column can share it. `values[0]` stands for what is absent."""

    __slots__ = ("_ids", "values")

    def __init__(self, absent: T) -> None:
        self.values: list[T] = [absent]
        self._ids: dict[T, int] = {absent: 0}

    def __len__(self) -> int:
        return len(self.values)

    def add(self, value: T) -> int:
        """The number of a value, a new one if it is new."""
        number = self._ids.get(value)
        if number is None:
            number = self._ids[value] = len(self.values)
            self.values.append(value)
        return number

    def find(self, value: T) -> int:
        """The number of a value, -1 if nothing has it."""
        return self._ids.get(value, -1)
