"""The scheduler's cache: nodes, the pods on them and all other objects, kept as columns and handed out as snapshots.

Source: kube-scheduler v1.34.1 backend/cache/{cache,snapshot}.go, with its quirks: ghosts of removed nodes, an order of
nodes that is renewed only when a node's name is new or gone, image counts captured at copying.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from copy import copy

from scheduler.engine.cluster.columns import Columns
from scheduler.engine.cluster.images import ImageStates
from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.cluster.node_tree import NodeTree
from scheduler.engine.cluster.pod_info import PodInfo, sharing
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.objects import CLUSTER_SCOPED, KubernetesObject, Node, Pod


def object_key(kind: str, namespace: str, name: str) -> str:
    return name if kind in CLUSTER_SCOPED else f"{namespace or 'default'}/{name}"


class ClusterState:
    """Everything that algorithms may read. One writer; snapshots taken before a write stay as they were."""

    def __init__(self) -> None:
        self.tree = NodeTree()
        self.infos: dict[str, NodeInfo] = {}
        self.pods: dict[str, PodInfo] = {}
        self.images = ImageStates()
        self.objects: dict[str, dict[str, KubernetesObject]] = {}
        self.columns = Columns()
        self.snapshot_number = 0
        self._rows: list[NodeInfo] = []
        self._names: list[str] = []
        self._touched: set[str] = set()
        self._epoch = 0
        self._shared: list[weakref.ref[Snapshot]] = []
        self._own_kinds: set[str] = set()
        self._versions: dict[str, int] = {}
        self._owns_images = True
        self._current: weakref.ref[Snapshot] | None = None
        self._cloned_position = 0

    # --- objects ------------------------------------------------------------------------------------------------------

    def add(self, kind: str, new: KubernetesObject) -> KubernetesObject:
        """A new object, returned as it is kept. Bound pods go to their node, which need not exist yet."""
        if isinstance(new, Pod):
            return self.add_pod(new)
        self._put(kind, new)
        if isinstance(new, Node):
            self._set_node(new)
        return new

    def add_pod(self, new: Pod) -> Pod:
        """The same for a pod."""
        new = sharing(new)
        self._put("Pod", new)
        if new.node_name and not new.is_finished:
            self._place(PodInfo(new))
        return new

    def update_pod(self, new: Pod) -> Pod:
        """Put a pod in the place of its old version. On a node this is a removal and an addition, as upstream."""
        if new.key in self.pods:
            self._take_off(self.pods[new.key])
        return self.add_pod(new)

    def update(self, kind: str, new: KubernetesObject) -> KubernetesObject:
        """Replace an object by its new version, returned as it is kept."""
        return self.update_pod(new) if isinstance(new, Pod) else self.add(kind, new)

    def delete(self, kind: str, namespace: str, name: str) -> None:
        """Raises KeyError if there is no such object."""
        key = object_key(kind, namespace, name)
        old = self._objects_for_writing(kind).pop(key)
        if isinstance(old, Node):
            self._remove_node(old)
        elif isinstance(old, Pod) and old.key in self.pods:
            self._take_off(self.pods[old.key])

    def get(self, kind: str, namespace: str, name: str) -> KubernetesObject | None:
        return self.objects.get(kind, {}).get(object_key(kind, namespace, name))

    def _put(self, kind: str, new: KubernetesObject) -> None:
        self._objects_for_writing(kind)[object_key(kind, new.namespace, new.name)] = new

    # --- pods ---------------------------------------------------------------------------------------------------------

    def pods_on(self, node_name: str) -> list[PodInfo]:
        """In the scheduler's order; [] for an unknown node."""
        info = self.infos.get(node_name)
        return list(info.pods) if info else []

    def _place(self, pod: PodInfo) -> None:
        info = self._info_for_writing(pod.node_name)
        info.add(pod)
        self.pods[pod.key] = pod
        self._count(info, pod, 1)

    def _take_off(self, pod: PodInfo) -> None:
        info = self._info_for_writing(pod.node_name)
        info.remove(pod)
        del self.pods[pod.key]
        self._count(info, pod, -1)
        if info.node is None and not info.pods:
            del self.infos[info.name]

    def _count(self, info: NodeInfo, pod: PodInfo, sign: int) -> None:
        row = self.columns.row_of.get(info.name)
        if row is not None:
            self.columns.add_pods(row, (pod,), sign)
            if pod.ports:
                self.columns.write_ports(row, len(info.ports))

    # --- nodes --------------------------------------------------------------------------------------------------------

    def _set_node(self, node: Node) -> None:
        info = self._info_for_writing(node.name)
        images = self._images_for_writing()
        if info.node is not None:
            images.remove_node(info.node, self.snapshot_number + 1)
        images.add_node(node, self.snapshot_number + 1)
        info.node = node
        self.tree.add(node)
        self._touched.add(node.name)
        row = self.columns.row_of.get(node.name)
        if row is not None:
            self._rows[row] = info
            self.columns.write_node(row, node)

    def _remove_node(self, node: Node) -> None:
        info = self._info_for_writing(node.name)
        self._images_for_writing().remove_node(node, self.snapshot_number + 1)
        self.tree.remove(node.name)
        self._touched.add(node.name)
        info.node = None
        if not info.pods:
            del self.infos[node.name]

    # --- copy on write ------------------------------------------------------------------------------------------------

    def _own(self) -> None:
        """Before any write: if somebody still reads a snapshot, leave the columns to it and go on with a fork."""
        self._current = None
        if not self._shared:
            return
        if any(snapshot() is not None for snapshot in self._shared):
            self.columns, self._rows = self.columns.fork(), list(self._rows)
            self.objects, self._own_kinds, self._owns_images = dict(self.objects), set(), False
            self._epoch += 1
            self._cloned_position = 0
        self._shared.clear()

    def _info_for_writing(self, name: str) -> NodeInfo:
        self._own()
        info = self.infos.get(name)
        if info is None:
            info = self.infos[name] = NodeInfo(name, None, self._epoch)
        elif info.epoch != self._epoch:
            info = self.infos[name] = info.clone(self._epoch)
            if (row := self.columns.row_of.get(name)) is not None:
                self._rows[row] = info
        return info

    def _objects_for_writing(self, kind: str) -> dict[str, KubernetesObject]:
        self._own()
        self._versions[kind] = self._versions.get(kind, 0) + 1
        if kind not in self._own_kinds:
            self.objects[kind] = dict(self.objects.get(kind, {}))
            self._own_kinds.add(kind)
        return self.objects[kind]

    def _images_for_writing(self) -> ImageStates:
        self._own()
        if not self._owns_images:
            self.images, self._owns_images = self.images.copy(), True
        return self.images

    # --- snapshots ----------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """What a cycle that begins now reads. Costs nothing but the rows that changed, unless nodes came or went."""
        current = self._current() if self._current else None
        if current is not None:
            return current
        self.snapshot_number += 1
        self._renew_order()
        self._mark_cloned()
        snapshot = Snapshot(
            self.columns,
            self._rows,
            self._names,
            self.columns.row_of,
            self.images,
            self.objects,
            self.snapshot_number,
            versions=dict(self._versions),
        )
        self._current = weakref.ref(snapshot)
        self._shared = [one for one in self._shared if one() is not None] + [self._current]
        return snapshot

    def glance(self) -> Snapshot:
        """What `snapshot()` would give, without leaving a trace here: to look at while nobody writes, and to drop."""
        other = copy(self)
        other.columns, other._rows = self.columns.fork(keep=False), list(self._rows)
        other._touched, other._shared, other._current = set(self._touched), [], None
        other._cloned_position = 0
        return other.snapshot()

    def fork(self) -> ClusterState:
        """A copy that may be changed as long as nobody changes this one; both share what is not written to."""
        other = copy(self)
        other.columns, other._rows = self.columns.fork(), list(self._rows)
        other.tree, other.infos, other.pods = self.tree.copy(), dict(self.infos), dict(self.pods)
        other.objects, other._own_kinds, other._versions = dict(self.objects), set(), dict(self._versions)
        other._touched, other._shared = set(self._touched), list(self._shared)
        other._owns_images, other._epoch, other._cloned_position = False, self._epoch + 1, 0
        changed = self.columns.pod_log.since(self._cloned_position)
        other.columns.pod_log.extend(range(self.columns.size) if changed is None else changed)
        return other

    def _renew_order(self) -> None:
        """List the nodes anew, but only if a name is new to the snapshot or gone from the tree."""
        rows = self.columns.row_of
        if any((name in self.tree) != (name in rows) for name in self._touched):
            self._names = self.tree.names()
            self._rows = [self.infos[name] for name in self._names]
            nodes = [info.node for info in self._rows if info.node is not None]
            pods = {name: self.infos[name].pods for name in self._names if name not in rows}
            self.columns = self.columns.reordered(nodes, pods)
            self._cloned_position = 0
            for name in pods:
                self.columns.write_ports(self.columns.row_of[name], len(self.infos[name].ports))
        self._touched.clear()

    def _mark_cloned(self) -> None:
        changed = self.columns.pod_log.since(self._cloned_position)
        rows = list(range(self.columns.size)) if changed is None else changed
        self.columns.mark_cloned(rows, self.snapshot_number)
        self._cloned_position = self.columns.pod_log.position

    def __iter__(self) -> Iterator[NodeInfo]:
        """Nodes that exist, in the order of the current snapshot."""
        return iter([self.infos[name] for name in self.tree.names()])
