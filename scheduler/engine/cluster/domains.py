"""Pods counted by topology domain (the nodes with one value of a label), kept up as pods come and go."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.framework import BoolArray, Int64Array

if TYPE_CHECKING:
    from scheduler.engine.cluster.columns import Columns
    from scheduler.engine.cluster.keys import Key

KEPT_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Counted:
    """Rows that count for a pod: `rows` is bool per row, None for all. `key` names them as long as no node changes."""

    key: Hashable = None
    rows: BoolArray | None = None


ALL = Counted()


@dataclass(frozen=True, slots=True)
class Domains:
    """`numbers`: the number of each row's domain, 0 for a node without the label (intp).

    `exists`: per domain, whether any row that counts is in it; `size`: how many do.
    """

    numbers: NDArray[np.intp]
    exists: BoolArray
    size: int


_Sums: TypeAlias = tuple[NDArray[np.intp], BoolArray | None, Int64Array]
"""The number of each row's domain, which rows count (None: all), and the sum per domain."""

_NONE: Mapping[Hashable, _Sums] = {}


class DomainSums:
    """Sums of the columns that count pods, by domain. Forgotten when a node changes, and made anew when asked for."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._domains: dict[Hashable, Domains] = {}
        self._labels: dict[str, tuple[NDArray[np.intp], int]] = {}
        self._sums: dict[Key, dict[Hashable, _Sums]] = {}
        self._bytes = 0

    def of(self, label: str, counted: Counted = ALL) -> Domains:
        known = self._domains.get((label, counted.key))
        if known is None:
            numbers, size = self._numbers(label)
            inside = numbers if counted.rows is None else numbers[counted.rows]
            exists = np.bincount(inside, minlength=size) > 0
            known = self._domains[label, counted.key] = Domains(numbers, exists, int(np.count_nonzero(exists)))
        return known

    def _numbers(self, label: str) -> tuple[NDArray[np.intp], int]:
        """The number of each row's domain, and how many numbers there are.

        Other columns may share the vocabulary and add to it meanwhile: here it counts as it was at first.
        """
        known = self._labels.get(label)
        if known is None:
            values, vocabulary = self._columns.label(label)
            known = self._labels[label] = values.astype(np.intp), len(vocabulary)
        return known

    def sums(self, counter: Key, label: str, counted: Counted = ALL) -> Int64Array:
        """int64 per domain: the counter's sum over the rows that count. Read only; valid until the columns change."""
        known = self._sums.get(counter, _NONE).get((label, counted.key))
        if known is None:
            if self._bytes > KEPT_BYTES:
                self._sums, self._bytes = {}, 0
            known = self._sum_up(counter, label, counted)
            self._sums.setdefault(counter, {})[label, counted.key] = known
        return known[2]

    def _sum_up(self, counter: Key, label: str, counted: Counted) -> _Sums:
        (numbers, size), vector = self._numbers(label), self._columns.vectors[counter]
        rows = slice(None) if counted.rows is None else counted.rows
        sums = np.bincount(numbers[rows], vector[rows], size).astype(np.int64)
        self._bytes += sums.nbytes
        return numbers, counted.rows, sums

    def add(self, counter: Key, row: int, amount: int) -> None:
        """A counter's column has changed by `amount` in one row."""
        for numbers, rows, sums in self._sums.get(counter, _NONE).values():
            if rows is None or rows[row]:
                sums[numbers[row]] += amount

    def forget(self) -> None:
        """A node has changed, or counters have gone."""
        if self._labels:
            self._labels, self._domains, self._sums, self._bytes = {}, {}, {}, 0
