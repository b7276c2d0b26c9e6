"""CSINode objects as columns: which in-tree volumes count on a node and how many volumes of a driver it holds.

The columns are kept until a CSINode changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.cluster.selection import kept
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.framework import Nodes
from scheduler.engine.objects import CSINode
from scheduler.engine.volumes.csi import COUNTED, counted_plugins

NO_LIMIT = np.iinfo(np.int64).max


class CSINodes:
    """Read only; every column is over all rows of the snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._nodes = snapshot.kind("CSINode")

    def plugins(self) -> NDArray[np.int64]:
        """Numbers in `COUNTED`, the sets of in-tree plugins whose volumes count."""
        return self._column("plugins", lambda node: COUNTED.index(counted_plugins(node)))

    def limited(self) -> NDArray[np.int64]:
        """1 where any driver has a limit: nothing is counted on other nodes."""
        return self._column("limited", lambda node: int(bool(node and limits(node))))

    def limit(self, driver: str) -> NDArray[np.int64]:
        """How many volumes of a driver the node holds, `NO_LIMIT` where it does not say."""
        return self._column(f"limit {driver}", lambda node: limits(node).get(driver, NO_LIMIT) if node else NO_LIMIT)

    def _column(self, name: str, of_node: Callable[[CSINode | None], int]) -> NDArray[np.int64]:
        def compute(part: Nodes) -> NDArray[Any]:
            found = (self._nodes.get(self.snapshot.names[row]) for row in part.rows.tolist())
            return np.array([of_node(cast(CSINode | None, one)) for one in found], np.int64)

        return kept(self.snapshot.columns, ("CSINode", name, self.snapshot.version("CSINode")), "node", compute)


def limits(node: CSINode) -> dict[str, int]:
    """How many volumes of each driver the node can hold; drivers without a limit are left out."""
    drivers = node.spec.drivers or ()
    counts = {one.name: one.allocatable.count for one in drivers if one.allocatable is not None}
    return {name: count for name, count in counts.items() if count is not None}
