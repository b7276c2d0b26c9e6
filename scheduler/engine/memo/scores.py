"""The raw scores of algorithms that score each node by itself, and the weighted sum of those that do not normalise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.framework import MAX_NODE_SCORE, Int64Array, Nodes, Plugin
from scheduler.engine.memo.rows import LocalRows

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler.engine.cluster.columns import Columns
    from scheduler.engine.cycle.line_up import Group
    from scheduler.engine.cycle.prepared import Scoring


class LocalScores:
    """`raw`: by algorithm, int64 per row. `total`: the weighted sum of those that do not normalise.

    `is_valid`: whether all that is summed is in 0…100. Everything is valid until the columns change.
    """

    def __init__(self, scoring: Scoring, group: Group) -> None:
        columns, plugins = scoring.columns, group.local
        self._rows = LocalRows(columns, plugins, [plugin.score_reads for plugin in plugins], _asker(scoring))
        self._summed = {one.name: group.weights[one.name] for one in plugins if not one.implements("normalize")}
        self._normalized: dict[str, tuple[int, Int64Array]] = {}
        self.arrays = 1 + 2 * len(plugins)
        self._add_up(columns)

    def renew(self, scoring: Scoring) -> None:
        """Bring everything up to date for a pod that gets the same answers."""
        changed = self._rows.renew(scoring.columns, _asker(scoring))
        if changed is None:
            self._add_up(scoring.columns)
        elif changed:
            self._add_up_rows(changed)

    @property
    def raw(self) -> dict[str, Int64Array]:
        return {plugin.name: values for plugin, values in zip(self._rows.plugins, self._rows.values, strict=True)}

    def normalized(self, scoring: Scoring, plugin: Plugin, raw: Int64Array) -> Int64Array | None:
        """The normalised row where all nodes are feasible; None if it is out of range.

        It is kept until a node changes if the raw one is.
        """
        if plugin.score_reads != "node":
            return reduced(scoring, plugin, raw)
        position = scoring.columns.node_log.position
        known = self._normalized.get(plugin.name)
        if known is None or known[0] != position:
            row = reduced(scoring, plugin, raw)
            if row is None:
                return None
            known = self._normalized[plugin.name] = position, row
        return known[1]

    def _add_up(self, columns: Columns) -> None:
        self.total = np.zeros(columns.size, np.int64)
        self.is_valid, raw = True, self.raw
        for name, weight in self._summed.items():
            self.total += raw[name] * weight
            self.is_valid &= is_in_range(raw[name])

    def _add_up_rows(self, rows: list[int]) -> None:
        raw = self.raw
        parts = [(raw[name], weight) for name, weight in self._summed.items()]
        for row in rows:
            scores = [values.item(row) for values, _ in parts]
            self.total[row] = sum([score * weight for score, (_, weight) in zip(scores, parts, strict=True)])
            self.is_valid &= all(0 <= score <= MAX_NODE_SCORE for score in scores)


def is_in_range(row: Int64Array) -> bool:
    """Whether all are in 0…100. In one pass: negative numbers are huge when read as unsigned."""
    return not len(row) or bool(row.view(np.uint64).max() <= MAX_NODE_SCORE)


def reduced(scoring: Scoring, plugin: Plugin, raw: Int64Array) -> Int64Array | None:
    """The normalised row; None if it is out of range."""
    row = plugin.normalize(scoring, raw) if plugin.implements("normalize") else raw
    return row if is_in_range(row) else None


def _asker(scoring: Scoring) -> Callable[[Plugin, Nodes], NDArray[Any]]:
    return lambda plugin, nodes: plugin.score(scoring, nodes)
