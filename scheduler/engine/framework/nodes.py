"""A range of the snapshot's columns, and a filter's answer for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.framework.arrays import BoolArray, Int64Array
from scheduler.engine.framework.status import SUCCESS, Status

if TYPE_CHECKING:
    from scheduler.engine.cluster.columns import Columns
    from scheduler.engine.objects import Node


@dataclass(frozen=True, slots=True)
class Nodes:
    """A range of nodes: `rows` are row numbers of the columns (int64, any order, no repeats).

    `columns[key]` is a whole column; `nodes.take(column)` is the part that belongs to this range.
    """

    columns: Columns
    rows: Int64Array

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, values: NDArray[Any]) -> NDArray[Any]:
        """The rows of this range of an array over all nodes."""
        return values if len(self.rows) == len(values) and self.is_all else values[self.rows]

    @property
    def objects(self) -> list[Node]:
        """The Node objects of this range: for a rule that looks at one node at a time, which is slow but simple."""
        return self.columns.node_objects(self.rows)

    @property
    def is_all(self) -> bool:
        """Whether this is the whole snapshot in its own order (the array that the columns keep for that)."""
        return self.rows is self.columns.all_rows


@dataclass(frozen=True, slots=True)
class Verdict:
    """A filter's answer for a range: `index[i]` points into `statuses`; `statuses[0]` is success.

    `index`: int16 of shape (len(nodes),). `refused`: how many are not success.
    """

    index: NDArray[np.int16]
    statuses: tuple[Status, ...]
    refused: int

    @classmethod
    def of(cls, index: NDArray[np.int16], statuses: tuple[Status, ...]) -> Verdict:
        return cls(index, statuses, int(np.count_nonzero(index)))

    @classmethod
    def where(cls, refused: BoolArray, status: Status) -> Verdict:
        """`status` where `refused`, success elsewhere: all that most filters need."""
        return cls.of(refused.astype(np.int16), (SUCCESS, status))

    @classmethod
    def success(cls, nodes: Nodes) -> Verdict:
        return cls(np.zeros(len(nodes), np.int16), (SUCCESS,), 0)
