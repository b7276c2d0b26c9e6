"""What one cycle reads: the cluster as it was when the pod was popped. It never changes, whatever comes after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scheduler.engine.cluster.columns import Columns
from scheduler.engine.cluster.images import ImageStates
from scheduler.engine.cluster.keys import Key
from scheduler.engine.cluster.pod_counters import Amount
from scheduler.engine.framework import Int64Array
from scheduler.engine.objects import KubernetesObject

if TYPE_CHECKING:
    from scheduler.engine.cluster.node_info import NodeInfo
    from scheduler.engine.cluster.pod_info import PodInfo


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Snapshot:
    """Rows are in the order in which a search meets the nodes. `number` counts the snapshots of a cluster.

    `objects`: every other kind, by kind and key (`namespace/name`, or the name of a cluster-scoped object).
    `versions`: by kind, a number that grows with every change of one of its objects.
    """

    columns: Columns
    infos: list[NodeInfo]
    names: list[str]
    row_of: dict[str, int]
    images: ImageStates
    objects: Mapping[str, Mapping[str, KubernetesObject]]
    number: int = 0
    base: Snapshot | None = None
    versions: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.names)

    def kind(self, kind: str) -> Mapping[str, KubernetesObject]:
        """All objects of a kind by key, in the order in which they came."""
        return self.objects.get(kind, {})

    def version(self, *kinds: str) -> tuple[int, ...]:
        """Changes whenever an object of these kinds does, as long as the columns are the same."""
        return tuple(self.versions.get(kind, 0) for kind in kinds)

    def count(self, key: Key, amount: Amount) -> Int64Array:
        """Per row, the sum of `amount` over the pods on the node; see `Columns.count`."""
        return self.columns.count(key, amount, lambda row: self.infos[row].pods)

    def patched(
        self,
        added: Mapping[int, Iterable[PodInfo]] | None = None,
        removed: Mapping[int, Iterable[PodInfo]] | None = None,
    ) -> Snapshot:
        """The same cluster with pods taken away from some rows and others put there.

        Costs what the touched columns cost, once for all rows. Raises ValueError if a removed pod is not on its node.
        """
        added, removed = added or {}, removed or {}
        columns, infos = self.columns.fork(keep=False), list(self.infos)
        for row in sorted({*added, *removed}):
            gone, come = list(removed.get(row, ())), list(added.get(row, ()))
            infos[row] = infos[row].patched(come, gone)
            columns.write_ports(row, len(infos[row].ports))
        for moved, sign in ((removed, -1), (added, 1)):
            there = [(row, pod) for row, pods in moved.items() for pod in pods]
            columns.add_everywhere([row for row, _ in there], [pod for _, pod in there], sign)
        return Snapshot(
            columns, infos, self.names, self.row_of, self.images, self.objects, self.number, self, self.versions
        )
