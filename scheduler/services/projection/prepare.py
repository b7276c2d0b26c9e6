"""Which rows a batch of events changes, read off the state after it. Reads the tables, writes nothing."""

from collections.abc import Iterable
from functools import reduce
from typing import Any

import msgspec

from scheduler.engine.objects import merge_patch
from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import KubeObject, Node, Pod
from scheduler.services.projection import columns, rows
from scheduler.services.projection.changes import Changes, PodKey
from scheduler.services.projection.tables import Rows, by_namespace, table_of

MAX_INT64 = 2**63 - 1  # what a column holds; two pods of 8Ei each sum up to more


def prepare(
    cluster_id: int, simulation: Simulation, changes: Changes, nodes: Iterable[str], everything: bool = False
) -> Rows:
    """`simulation` is the state after the events, `nodes` those whose usage they changed.

    With `everything`, `changes` tells the whole log, and all rows are made anew.
    """
    written = Rows(cluster_id, wipe=everything, deleted=set() if everything else changes.deleted)
    for key, (manifest, seq, created_us) in changes.objects.items():
        if patch := changes.patches.get(key[1:]) if key[0] == "Pod" else None:
            manifest = rows.patched(manifest, patch)
        row = rows.object_row(cluster_id, key, manifest, seq, created_us)
        (written.inserted if everything or key in changes.added else written.replaced).append(row)
    written.replaced += _merged_rows(cluster_id, changes)
    _place_pods(written, simulation, changes)
    _sum_nodes(written, simulation, set(nodes))
    written.patched = dict(_patched_manifests(cluster_id, changes))
    if changes.configuration is not None:
        written.profiles = rows.profile_rows(cluster_id, changes.configuration, changes.configuration_seq)
    return written


def _place_pods(written: Rows, simulation: Simulation, changes: Changes) -> None:
    """Where each touched pod stands now: in its own row and in the queue's."""
    inserted = {(row.namespace, row.name): row for row in written.inserted if isinstance(row, Pod)}
    for key, news in changes.pods.items():
        name = "/".join(key)
        queued, pod = simulation.queued(name), simulation.pod(name)
        if queued is None:
            written.unqueued.append(name)
        else:
            written.queued.append(rows.queue_row(written.cluster_id, queued))
            news = {**news, "attempts": queued.entry.attempts}
        if pod is None:
            continue
        standing = {**news, "queue": queued.place if queued else "", "message": simulation.last_message(name)}
        if row := inserted.get(key):
            for column, value in standing.items():
                setattr(row, column, value)
        else:
            written.moved[key] = rows.fitted_columns(Pod, {**columns.standing_of_pod(pod), **standing})


def _sum_nodes(written: Rows, simulation: Simulation, touched: set[str]) -> None:
    for row in (*written.inserted, *written.replaced):
        if isinstance(row, Node):
            row.requested_milli_cpu, row.requested_memory, row.pod_count = usage_of(simulation, row.name)
            touched.discard(row.name)
    written.sums = {name: usage_of(simulation, name) for name in touched}


def usage_of(simulation: Simulation, node: str) -> tuple[int, int, int]:
    """Requested cpu (milli) and memory (bytes), and the number of pods, of what is on a node."""
    pods = simulation.cluster.pods_on(node)
    requested = [dict(pod.requested) for pod in pods]
    cpu, memory = (min(sum(one.get(name, 0) for one in requested), MAX_INT64) for name in ("cpu", "memory"))
    return cpu, memory, len(pods)


def _merged_rows(cluster_id: int, changes: Changes) -> Iterable[rows.Row]:
    """The rows of objects that were patched, made anew from their stored manifests."""
    for kind in {key[0] for key in changes.merges}:
        for namespace, names in by_namespace([key[1:] for key in changes.merges if key[0] == kind]):
            for name, manifest, created_us in _stored(cluster_id, kind, namespace, names):
                merges = changes.merges[kind, namespace, name]
                merged = reduce(merge_patch, merges.patches, manifest)
                if patch := changes.patches.get((namespace, name)) if kind == "Pod" else None:
                    merged = rows.patched(merged, patch)
                yield rows.object_row(cluster_id, (kind, namespace, name), merged, merges.seq, created_us)


def _stored(cluster_id: int, kind: str, namespace: str, names: list[str]) -> Iterable[tuple[str, Any, int]]:
    """(name, manifest, created_us) of objects that have rows."""
    table = table_of(kind)
    of_kind = {"kind": kind} if table is KubeObject else {}
    found = table._default_manager.filter(cluster_id=cluster_id, namespace=namespace, name__in=names, **of_kind)
    return found.values_list("name", "manifest", "created_us")


def _patched_manifests(cluster_id: int, changes: Changes) -> Iterable[tuple[PodKey, str]]:
    """The stored manifests of pods that this batch binds or nominates, with that filled in, as JSON."""
    written = changes.objects.keys() | changes.merges.keys()
    keys = [key for key in changes.patches if ("Pod", *key) not in written]
    for namespace, names in by_namespace(keys):
        found = Pod.objects.filter(cluster_id=cluster_id, namespace=namespace, name__in=names)
        for name, manifest in found.values_list("name", "manifest"):
            key = (namespace, name)
            yield key, msgspec.json.encode(rows.patched(manifest, changes.patches[key])).decode()
