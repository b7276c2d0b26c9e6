"""Which rows a batch of events changes, read off the state after it. Reads the tables, writes nothing."""

from collections.abc import Iterable
from typing import Any

import msgspec

from scheduler.engine.simulation import Simulation
from scheduler.models import Node, Pod
from scheduler.services.projection import columns, rows
from scheduler.services.projection.changes import Changes, PodKey
from scheduler.services.projection.tables import Rows, by_namespace


def prepare(cluster_id: int, simulation: Simulation, changes: Changes, everything: bool = False) -> Rows:
    """`simulation` is the state after the events. With `everything`, all rows are made anew from `changes`."""
    written = Rows(cluster_id, wipe=everything, deleted=set() if everything else changes.deleted)
    touched_nodes = set(changes.bound.values())
    if not everything:
        touched_nodes |= _nodes_of_known_pods(cluster_id, changes)
    for key, (manifest, seq, created_us) in changes.objects.items():
        if key[0] == "Pod" and (node := changes.bound.get(key[1:])):
            manifest = rows.with_node(manifest, node)
        row = rows.object_row(cluster_id, key, manifest, seq, created_us)
        if isinstance(row, Pod):
            touched_nodes.add(row.node_name)
        fresh = everything or key in changes.added
        (written.inserted if fresh else written.replaced).append(row)
    _place_pods(written, simulation, changes)
    _sum_nodes(written, simulation, touched_nodes - {""})
    written.bound = dict(_bound_manifests(cluster_id, changes))
    if changes.configuration is not None:
        written.profiles = rows.profile_rows(cluster_id, changes.configuration, changes.configuration_seq)
    return written


def _place_pods(written: Rows, simulation: Simulation, changes: Changes) -> None:
    """Where each touched pod stands now: in its own row and in the queue's."""
    inserted = {(row.namespace, row.name): row for row in written.inserted if isinstance(row, Pod)}
    for key, news in changes.pods.items():
        name = "/".join(key)
        queued = simulation.queue.get(name)
        if queued is None:
            written.unqueued.append(name)
        else:
            written.queued.append(rows.queue_row(written.cluster_id, queued))
        standing = {**news, "queue": queued.place if queued else ""}
        if row := inserted.get(key):
            for column, value in standing.items():
                setattr(row, column, value)
        elif ("Pod", *key) not in changes.deleted:
            pod = simulation.pod(name)
            written.moved[key] = {**(columns.standing_of_pod(pod) if pod else {}), **standing}


def _sum_nodes(written: Rows, simulation: Simulation, touched: set[str]) -> None:
    for row in (*written.inserted, *written.replaced):
        if isinstance(row, Node):
            sums = simulation.cluster.requested_of(row.name)
            row.requested_milli_cpu, row.requested_memory, row.pod_count = sums
            touched.discard(row.name)
    for name in touched:
        if simulation.cluster.has_node(name):
            written.sums[name] = simulation.cluster.requested_of(name)


def _nodes_of_known_pods(cluster_id: int, changes: Changes) -> set[str]:
    """Nodes on which pods stood that this batch deletes or replaces."""
    keys = [key[1:] for key in (*changes.deleted, *changes.objects) if key[0] == "Pod" and key not in changes.added]
    return {row["node_name"] for row in _pods(cluster_id, keys, "node_name")}


def _bound_manifests(cluster_id: int, changes: Changes) -> Iterable[tuple[PodKey, str]]:
    """The stored manifests of pods that this batch binds, with their node filled in, as JSON."""
    keys = [key for key in changes.bound if ("Pod", *key) not in changes.objects]
    for row in _pods(cluster_id, keys, "manifest"):
        key = (row["namespace"], row["name"])
        yield key, msgspec.json.encode(rows.with_node(row["manifest"], changes.bound[key])).decode()


def _pods(cluster_id: int, keys: Iterable[PodKey], *fields: str) -> Iterable[dict[str, Any]]:
    for namespace, names in by_namespace(keys):
        yield from Pod.objects.filter(cluster_id=cluster_id, namespace=namespace, name__in=names).values(
            "namespace", "name", *fields
        )


