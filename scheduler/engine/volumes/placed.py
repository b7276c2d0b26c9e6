"""What the volumes of placed pods come to, node by node: looked up where there are any, kept while nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.cluster.selection import kept
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.framework import Nodes

T = TypeVar("T")


def rows_with_volumes(nodes: Nodes) -> list[int]:
    """Places in the range of nodes with pods that have volumes."""
    places: list[int] = np.flatnonzero(nodes.take(nodes.columns[("volumes",)])).tolist()
    return places


def on_nodes(snapshot: Snapshot, nodes: Nodes, key: Hashable, of_node: Callable[[NodeInfo], T]) -> list[tuple[int, T]]:
    """(place in the range, what `of_node` makes of the node) for nodes with pods that have volumes.

    `key` identifies everything that the answer depends on besides the node and the pods on it.
    """

    def compute(part: Nodes) -> NDArray[Any]:
        found = np.empty(len(part), object)
        for place in rows_with_volumes(part):
            found[place] = of_node(snapshot.infos[int(part.rows[place])])
        return found

    all_rows = nodes.columns.memo is not None and nodes.is_all
    found = kept(nodes.columns, ("volumes", key), "pods", compute) if all_rows else compute(nodes)
    return [(place, found[place]) for place in rows_with_volumes(nodes)]
