"""What each node holds already, by driver: volumes of its pods, and attached ones that no pod uses.

Kept per row until the pods there or objects about storage change.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.cluster.selection import kept
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.framework import Int64Array, Nodes
from scheduler.engine.volumes.counting import Attached, Volumes, attached, attachments
from scheduler.engine.volumes.csi import COUNTED
from scheduler.engine.volumes.placed import rows_with_volumes

_KINDS = ("PersistentVolumeClaim", "PersistentVolume", "StorageClass", "CSINode", "VolumeAttachment")
_NOTHING = Attached({}, {})


def attachments_of_rows(snapshot: Snapshot) -> NDArray[Any]:
    """What is attached to each node, whether a pod uses it or not; None where nothing is."""

    def compute(part: Nodes) -> NDArray[Any]:
        known: dict[str, Volumes] = attachments(snapshot)
        found = np.full(len(part), None, object)
        if known:
            found[:] = [known.get(snapshot.names[row]) for row in part.rows.tolist()]
        return found

    return kept(snapshot.columns, ("volumes", "attachments", snapshot.version(*_KINDS)), "node", compute)


class Held:
    """`plugins`: per row, the number in `COUNTED` of the in-tree plugins whose volumes count.

    `attachments`: of `attachments_of_rows`, which are the same whatever pods are on the nodes.
    """

    def __init__(self, snapshot: Snapshot, plugins: Int64Array, attachments: NDArray[Any]) -> None:
        self.snapshot = snapshot
        self._plugins, self._attachments = plugins, attachments
        self._version = snapshot.version(*_KINDS)

    def on_nodes(self, nodes: Nodes) -> NDArray[Any]:
        """An `Attached` for each node of the range."""
        return self._kept(nodes, "attached", self._attached)

    def counts(self, nodes: Nodes, driver: str) -> NDArray[Any]:
        """How many volumes of a driver each node of the range holds."""
        return self._of_each(nodes, ("held", driver), lambda one: one.held(driver))

    def faults(self, nodes: Nodes) -> NDArray[Any]:
        """1 where counting fails."""
        return self._of_each(nodes, "faults", lambda one: int(not one.fault.is_success))

    def _of_each(self, nodes: Nodes, name: Hashable, of_one: Callable[[Attached], int]) -> NDArray[Any]:
        def compute(part: Nodes) -> Int64Array:
            return np.array([0 if one is _NOTHING else of_one(one) for one in self.on_nodes(part).tolist()], np.int64)

        return self._kept(nodes, name, compute)

    def _kept(self, nodes: Nodes, name: Hashable, compute: Callable[[Nodes], NDArray[Any]]) -> NDArray[Any]:
        if nodes.columns.memo is None or not nodes.is_all:
            return compute(nodes)
        return kept(nodes.columns, ("volumes", name, self._version), "pods", compute)

    def _attached(self, nodes: Nodes) -> NDArray[Any]:
        found = np.full(len(nodes), _NOTHING, object)
        idle = nodes.take(self._attachments)
        used = set(rows_with_volumes(nodes))
        for place in used | set(np.flatnonzero(idle).tolist()):
            row = int(nodes.rows[place])
            pods = self.snapshot.infos[row].pods if place in used else ()
            found[place] = attached(self.snapshot, pods, COUNTED[self._plugins[row]], idle[place] or {})
        return found
