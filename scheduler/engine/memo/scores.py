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

    `fixed`: where all nodes are feasible, the normalised rows of those that read nothing but nodes.
    `is_valid`: whether all that is summed is in 0…100. Everything is valid until the columns change.
    """

    def __init__(self, scoring: Scoring, group: Group) -> None:
        columns, plugins = scoring.columns, group.local
        self._rows = LocalRows(columns, plugins, [plugin.score_reads for plugin in plugins], _asker(scoring))
        self._summed = {one.name: group.weights[one.name] for one in plugins if not one.implements("normalize")}
        self._weights = {one: group.weights[one.name] for one in plugins if _is_fixed(one)}
        self.fixed: dict[str, Int64Array] = {}
        self._whole: Int64Array | None = None
        self._node_position = -1
        self.arrays = 2 + len(plugins) + len(self._weights)
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

    def whole(self, scoring: Scoring) -> Int64Array | None:
        """`total` with what is fixed, where all nodes are feasible; None if any of it is out of range.

        The fixed part is kept until a node changes.
        """
        position = scoring.columns.node_log.position
        if self._whole is None or self._node_position != position:
            self._whole, self._node_position = self._add_fixed(scoring), position
        return self._whole

    def _add_fixed(self, scoring: Scoring) -> Int64Array | None:
        whole, raw = self.total.copy(), self.raw
        for plugin, weight in self._weights.items():
            row = reduced(scoring, plugin, raw[plugin.name])
            if row is None:
                return None
            self.fixed[plugin.name] = row
            whole += row * weight
        return whole

    def _add_up(self, columns: Columns) -> None:
        self.total = np.zeros(columns.size, np.int64)
        self.is_valid, self._whole, raw = True, None, self.raw
        for name, weight in self._summed.items():
            self.total += raw[name] * weight
            self.is_valid &= is_in_range(raw[name])

    def _add_up_rows(self, rows: list[int]) -> None:
        raw = self.raw
        parts = [(raw[name], weight) for name, weight in self._summed.items()]
        for row in rows:
            scores = [values.item(row) for values, _ in parts]
            total = sum([score * weight for score, (_, weight) in zip(scores, parts, strict=True)])
            if self._whole is not None:
                self._whole[row] += total - self.total[row]
            self.total[row] = total
            self.is_valid &= all(0 <= score <= MAX_NODE_SCORE for score in scores)


def _is_fixed(plugin: Plugin) -> bool:
    return plugin.score_reads == "node" and plugin.implements("normalize")


def is_in_range(row: Int64Array) -> bool:
    """Whether all are in 0…100. In one pass: negative numbers are huge when read as unsigned."""
    return not len(row) or bool(row.view(np.uint64).max() <= MAX_NODE_SCORE)


def reduced(scoring: Scoring, plugin: Plugin, raw: Int64Array) -> Int64Array | None:
    """The normalised row; None if it is out of range."""
    row = plugin.normalize(scoring, raw) if plugin.implements("normalize") else raw
    return row if is_in_range(row) else None


def _asker(scoring: Scoring) -> Callable[[Plugin, Nodes], NDArray[Any]]:
    return lambda plugin, nodes: plugin.score(scoring, nodes)
