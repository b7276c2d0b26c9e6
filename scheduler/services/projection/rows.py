"""From changes to table rows, without touching the database."""

from functools import cache
from typing import Any, cast

from django.db.models import CharField

from scheduler.engine import objects
from scheduler.engine.objects import ObjectKey
from scheduler.engine.queue.entry import QueuedPod
from scheduler.models import KubeObject, Node, Pod, Profile, QueueEntry, UnitedDeployment
from scheduler.services.projection import columns
from scheduler.services.projection.changes import Patch

MAX_INT32 = 2**31 - 1
Row = Node | Pod | UnitedDeployment | KubeObject


def object_row(cluster_id: int, key: ObjectKey, manifest: dict[str, Any], seq: int, at_us: int) -> Row:
    """The row of an object. A pod's place in the queues and a node's sums are filled in by who knows them."""
    table, columns = object_columns(key, objects.decode(key[0], manifest), manifest, seq, at_us)
    return table(cluster_id=cluster_id, manifest=manifest, **columns)


def object_columns(
    key: ObjectKey, value: objects.KubernetesObject, manifest: dict[str, Any], seq: int, at_us: int
) -> tuple[type[Row], dict[str, Any]]:
    """The table of an object and what its columns hold, but for the manifest and the cluster."""
    kind, namespace, name = key
    common: dict[str, Any] = {
        "name": name,
        "uid": value.uid,
        "labels": columns.label_text(value.labels),
        "created_us": columns.created_us(value.metadata, at_us),
        "changed_seq": seq,
    }
    if kind == "Node":
        return Node, fitted_columns(Node, common | columns.of_node(cast(objects.Node, value), manifest))
    common["namespace"] = namespace
    if kind == "Pod":
        return Pod, fitted_columns(Pod, common | columns.of_pod(cast(objects.Pod, value)))
    if kind == "UnitedDeployment":
        return UnitedDeployment, fitted_columns(UnitedDeployment, common | {"replicas": replicas_of(manifest)})
    return KubeObject, fitted_columns(KubeObject, common | {"kind": kind})


def fitted_columns(model: type[Row], values: dict[str, Any]) -> dict[str, Any]:
    """A column shows as much of a text as it holds (PostgreSQL would refuse more); the manifest has all of it."""
    for name, most in _lengths(model).items():
        if len(values.get(name, "")) > most:
            values[name] = values[name][:most]
    return values


@cache
def _lengths(model: type[Row]) -> dict[str, int]:
    fields = (field for field in model._meta.concrete_fields if isinstance(field, CharField))
    return {field.attname: field.max_length for field in fields if field.max_length}


def replicas_of(manifest: dict[str, Any]) -> int:
    """1 where none is given."""
    spec = manifest.get("spec")
    replicas = spec.get("replicas") if isinstance(spec, dict) else None
    if not isinstance(replicas, int) or isinstance(replicas, bool):
        return 1
    return max(0, min(replicas, MAX_INT32))


def patched(manifest: dict[str, Any], patch: Patch) -> dict[str, Any]:
    """The manifest with what scheduling decided; the one given stays as it is, an event may hold it."""
    spec, status = dict(manifest.get("spec") or {}), dict(manifest.get("status") or {})
    if node := patch.get("node"):
        spec["nodeName"] = node
        status |= {"phase": "Running", "startTime": patch["started"]}
    if nominated := patch.get("nominated"):
        status["nominatedNodeName"] = nominated
    elif "nominated" in patch:
        status.pop("nominatedNodeName", None)
    return {**manifest, "spec": spec, "status": status}


def queue_row(cluster_id: int, queued: QueuedPod) -> QueueEntry:
    """The row of a pod that is in one of the queues."""
    entry = queued.entry
    return QueueEntry(
        cluster_id=cluster_id,
        pod=queued.key,
        queue=queued.place,
        priority=queued.pod.priority,
        timestamp_us=entry.timestamp_us,
        initial_attempt_us=entry.initial_attempt_us,
        attempts=entry.attempts,
        unschedulable_count=entry.unschedulable_count,
        consecutive_errors=entry.consecutive_errors,
        backoff_expiry_us=entry.backoff_expiry_us or None,
        unschedulable_plugins=list(entry.unschedulable_plugins),
        pending_plugins=list(entry.pending_plugins),
        gating_plugin=entry.gating_plugin,
    )


def profile_rows(cluster_id: int, configuration: dict[str, Any], seq: int) -> list[Profile]:
    """One row a profile; a configuration without any means the default scheduler."""
    profiles = configuration.get("profiles") or [{"schedulerName": "default-scheduler"}]
    return [
        Profile(
            cluster_id=cluster_id,
            position=position,
            scheduler_name=profile.get("schedulerName") or "default-scheduler",
            configuration=profile,
            changed_seq=seq,
        )
        for position, profile in enumerate(profiles)
    ]
