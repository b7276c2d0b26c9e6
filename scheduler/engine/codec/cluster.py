"""ClusterState as plain data, and back: also what cannot be told from the objects, such as orders and stale counts."""

from __future__ import annotations

import weakref
from typing import cast

import msgspec
import numpy as np

from scheduler.engine.cluster.columns import Columns
from scheduler.engine.cluster.images import ImageState
from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.cluster.node_tree import zone_key
from scheduler.engine.cluster.pod_info import HostPort, PodInfo, sharing
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.cluster.state import ClusterState, object_key
from scheduler.engine.objects import KINDS, KubernetesObject, Node, ObjectMeta, Opaque, Pod


class NodeData(msgspec.Struct, array_like=True):
    """A node or ghost: keys of its pods in the scheduler's order, and the host ports in use."""

    name: str
    pods: list[str]
    ports: list[HostPort] = []


class ImageData(msgspec.Struct, array_like=True):
    name: str
    size: int
    nodes: list[str]
    epochs: list[int]
    counts: list[int]


class ClusterData(msgspec.Struct, array_like=True):
    """`rows`: node names of the current snapshot, `cloned_at` a number each; `changed`: rows the next one copies."""

    pods: list[Pod]
    nodes: list[Node]
    others: dict[str, list[msgspec.Raw]]
    zones: list[list[str]]
    infos: list[NodeData]
    images: list[ImageData]
    snapshot_number: int
    touched: list[str]
    rows: list[str]
    cloned_at: list[int]
    changed: list[int] | None


_encode = msgspec.msgpack.encode


def take(cluster: ClusterState) -> ClusterData:
    """All of it that a restored cluster needs to go on as this one would. Objects are shared, not copied."""
    objects = cluster.objects
    changed = cluster.columns.pod_log.since(cluster._cloned_position)
    return ClusterData(
        pods=list(objects.get("Pod", {}).values()),  # type: ignore[arg-type]
        nodes=list(objects.get("Node", {}).values()),  # type: ignore[arg-type]
        others={
            kind: [msgspec.Raw(_encode(one)) for one in by_key.values()]
            for kind, by_key in objects.items()
            if kind not in ("Pod", "Node") and by_key
        },
        zones=[list(names) for names in cluster.tree.zones.values()],
        infos=[
            NodeData(info.name, [pod.key for pod in info.pods], sorted(info.ports)) for info in cluster.infos.values()
        ],
        images=[
            ImageData(name, image.size, sorted(image.nodes), image.epochs, image.counts)
            for name, image in cluster.images.by_name.items()
        ],
        snapshot_number=cluster.snapshot_number,
        touched=sorted(cluster._touched),
        rows=list(cluster._names),
        cloned_at=cluster.columns[("cloned_at",)].tolist(),
        changed=None if changed is None else sorted(set(changed)),
    )


def take_snapshot(snapshot: Snapshot) -> ClusterData:
    """A cluster whose present is this snapshot; without a node tree, it is only good for reading."""
    cluster = ClusterState()
    cluster.objects = {kind: dict(by_key) for kind, by_key in snapshot.objects.items()}
    cluster.infos = {info.name: info for info in snapshot.infos}
    cluster.images, cluster.columns = snapshot.images, snapshot.columns
    cluster.snapshot_number, cluster._names = snapshot.number, snapshot.names
    cluster._cloned_position = snapshot.columns.pod_log.position
    return take(cluster)


def is_current(cluster: ClusterState, snapshot: Snapshot) -> bool:
    """Whether nothing has changed since the snapshot was taken."""
    return cluster._current is not None and cluster._current() is snapshot


def snapshot_of(cluster: ClusterState) -> Snapshot:
    """The snapshot that was the cluster's current one when it was stored."""
    snapshot = Snapshot(
        cluster.columns,
        cluster._rows,
        cluster._names,
        cluster.columns.row_of,
        cluster.images,
        cluster.objects,
        cluster.snapshot_number,
    )
    cluster._current = weakref.ref(snapshot)
    cluster._shared.append(cluster._current)
    return snapshot


def restore(data: ClusterData) -> ClusterState:
    """The inverse of `take`: the same rows, orders and counts."""
    cluster = ClusterState()
    cluster.objects = _objects(data)
    cluster._own_kinds = set(cluster.objects)
    nodes = {node.name: node for node in data.nodes}
    pods = cast("dict[str, Pod]", cluster.objects["Pod"])
    for names in data.zones:
        cluster.tree.zones[zone_key(nodes[names[0]])] = dict.fromkeys(names)
        cluster.tree._zone_of.update(dict.fromkeys(names, zone_key(nodes[names[0]])))
    for one in data.infos:
        info = cluster.infos[one.name] = NodeInfo(one.name, nodes.get(one.name))
        info.pods = [PodInfo(pods[key]) for key in one.pods]
        info.ports = set(one.ports)
    cluster.pods = {pod.key: pod for info in cluster.infos.values() for pod in info.pods}
    cluster.images.by_name = {
        one.name: ImageState(one.size, set(one.nodes), one.epochs, one.counts) for one in data.images
    }
    cluster.snapshot_number = data.snapshot_number
    cluster._touched = set(data.touched)
    _restore_rows(cluster, data)
    return cluster


def _restore_rows(cluster: ClusterState, data: ClusterData) -> None:
    """Columns in the order of the last snapshot. A row whose node has gone since is never read: a blank fills it."""
    cluster._names = list(data.rows)
    cluster._rows = [cluster.infos.get(name) or NodeInfo(name) for name in data.rows]
    columns = cluster.columns = Columns([info.node or _gone(info.name) for info in cluster._rows])
    for row, info in enumerate(cluster._rows):
        columns.add_pods(row, info.pods)
        if info.ports:
            columns.write_ports(row, len(info.ports))
    columns.vectors[("cloned_at",)] = np.array(data.cloned_at, np.int64)
    cluster._cloned_position = 0 if data.changed is None else columns.pod_log.position
    for row in data.changed or ():
        columns.pod_log.append(row)


def _gone(name: str) -> Node:
    return Node(metadata=ObjectMeta(name=name))


def _objects(data: ClusterData) -> dict[str, dict[str, KubernetesObject]]:
    objects: dict[str, dict[str, KubernetesObject]] = {
        "Pod": {pod.key: sharing(pod) for pod in data.pods},
        "Node": {node.name: node for node in data.nodes},
    }
    for kind, raw in data.others.items():
        decoder = msgspec.msgpack.Decoder(KINDS.get(kind, Opaque))
        values = [decoder.decode(one) for one in raw]
        objects[kind] = {object_key(kind, one.namespace, one.name): one for one in values}
    return objects
