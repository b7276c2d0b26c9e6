"""What algorithms say of each node by itself, for all pods of one shape together: kept, and renewed where rows changed.

Rows in which the same stands get the same answers, so one look at a changed row mostly gives those of all algorithms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.framework import Nodes, Plugin, Reads

if TYPE_CHECKING:
    from scheduler.engine.cluster.columns import Columns
    from scheduler.engine.cluster.keys import Key

Answer = Callable[[Plugin, Nodes], NDArray[Any]]
"""What an algorithm says of a range of nodes, as numbers."""

_FEW_ROWS = 8
_MANY_STATES = 4096


class LocalRows:
    """`values[i]` is what `plugins[i]` says of each row. `reads[i]`: what that follows from."""

    def __init__(self, columns: Columns, plugins: Sequence[Plugin], reads: Sequence[Reads], ask: Answer) -> None:
        self.plugins = plugins
        self._by_node = [place for place, one in enumerate(reads) if one == "node"]
        self._by_columns = [place for place, one in enumerate(reads) if one == "columns"]
        self._by_pods = [place for place, one in enumerate(reads) if one == "pods"]
        self._states: dict[tuple[Any, ...], list[Any]] = {}
        self._position = self._node_position = 0
        self._ask_all(columns, ask)

    def renew(self, columns: Columns, ask: Answer) -> list[int] | None:
        """Bring all rows up to date; the rows that were asked again, None if it was all of them."""
        if self._position == columns.pod_log.position:
            return []
        rows, nodes = columns.pod_log.since(self._position), columns.node_log.since(self._node_position)
        if rows is None or nodes is None or len(rows) * 4 > columns.size:
            self._ask_all(columns, ask)
            return None
        rows = list(dict.fromkeys(rows)) if len(rows) > 1 else rows
        self._ask_again(columns, rows, nodes, ask)
        self._position, self._node_position = columns.pod_log.position, columns.node_log.position
        return rows

    def _ask_all(self, columns: Columns, ask: Answer) -> None:
        self._position, self._node_position = columns.pod_log.position, columns.node_log.position
        recorder, by_columns = columns.recorder(), set(self._by_columns)
        recorded = Nodes(recorder, columns.all_rows)
        self.values = [
            ask(plugin, recorded if place in by_columns else columns.all_nodes)
            for place, plugin in enumerate(self.plugins)
        ]
        self._read: list[Key] = list(recorder.keys)
        self._states.clear()

    def _ask_again(self, columns: Columns, rows: list[int], nodes: list[int], ask: Answer) -> None:
        if nodes:
            self._ask_some(self._by_node, columns, list(dict.fromkeys(nodes)), ask)
        if self._by_pods:
            self._ask_some(self._by_pods, columns, rows, ask)
        if len(rows) > _FEW_ROWS:
            self._ask_some(self._by_columns, columns, rows, ask)
            return
        if not self._by_columns:
            return
        vectors = [columns[key] for key in self._read]
        for row in rows:
            state = tuple([vector.item(row) for vector in vectors])
            known = self._states.get(state) or self._learn(state, columns, row, ask)
            for place, answer in zip(self._by_columns, known, strict=True):
                self.values[place][row] = answer

    def _ask_some(self, places: list[int], columns: Columns, rows: list[int], ask: Answer) -> None:
        asked = np.array(rows, np.int64)
        for place in places:
            self.values[place][asked] = ask(self.plugins[place], Nodes(columns, asked))

    def _learn(self, state: tuple[Any, ...], columns: Columns, row: int, ask: Answer) -> list[Any]:
        if len(self._states) >= _MANY_STATES:
            self._states.clear()
        nodes = Nodes(columns, np.array([row], np.int64))
        known = self._states[state] = [ask(self.plugins[place], nodes).item(0) for place in self._by_columns]
        return known
