"""The verdicts of filters that judge each node by itself, kept together with which nodes pass them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.framework import Nodes, Plugin, Status, Verdict
from scheduler.engine.memo.rows import LocalRows

if TYPE_CHECKING:
    from scheduler.engine.cluster.columns import Columns
    from scheduler.engine.cycle.attempt import Cycle


class LocalFilters:
    """`verdicts`: by filter, in order; `passed`: bool per row. Both are valid until the columns change."""

    def __init__(self, cycle: Cycle, plugins: Sequence[Plugin]) -> None:
        self._numbers: dict[Plugin, dict[Status, int]] = {plugin: {} for plugin in plugins}
        reads = [plugin.filter_reads for plugin in plugins]
        self._rows = LocalRows(cycle.snapshot.columns, plugins, reads, self._asker(cycle))
        self.arrays = 1 + len(plugins)
        self._refused = False
        self._count(cycle.snapshot.columns)

    def renew(self, cycle: Cycle) -> None:
        """Bring everything up to date for a pod that gets the same answers."""
        columns = cycle.snapshot.columns
        changed = self._rows.renew(columns, self._asker(cycle))
        if changed is None or (changed and (self._refused or self._refuses(changed))):
            self._count(columns)

    def _refuses(self, rows: list[int]) -> bool:
        return any(values.item(row) for values in self._rows.values for row in rows)

    def _count(self, columns: Columns) -> None:
        passed = np.ones(columns.size, np.bool_)
        self.verdicts: dict[str, Verdict] = {}
        for plugin, index in zip(self._rows.plugins, self._rows.values, strict=True):
            verdict = self.verdicts[plugin.name] = Verdict.of(index, tuple(self._numbers[plugin]))
            if verdict.refused:
                passed &= index == 0
        self.passed = passed
        self._refused = any(verdict.refused for verdict in self.verdicts.values())

    def _asker(self, cycle: Cycle) -> _Asker:
        return _Asker(cycle, self._numbers)


class _Asker:
    """A filter's verdicts in numbers of its own: its list of statuses grows as more of them are met."""

    __slots__ = ("_cycle", "_numbers")

    def __init__(self, cycle: Cycle, numbers: dict[Plugin, dict[Status, int]]) -> None:
        self._cycle = cycle
        self._numbers = numbers

    def __call__(self, plugin: Plugin, nodes: Nodes) -> NDArray[Any]:
        verdict, known = plugin.filter(self._cycle, nodes), self._numbers[plugin]
        numbers = [known.setdefault(status, len(known)) for status in verdict.statuses]
        return np.array(numbers, np.int16)[verdict.index]
