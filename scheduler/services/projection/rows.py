"""From changes to table rows, without touching the database."""

from typing import Any, cast

from scheduler.engine import objects
from scheduler.engine.objects import ObjectKey
from scheduler.engine.queue_entry import QueuedPod
from scheduler.models import KubeObject, Node, Pod, Profile, QueueEntry, UnitedDeployment
from scheduler.services.projection import columns
from scheduler.services.projection.changes import Patch

Row = Node | Pod | UnitedDeployment | KubeObject


def object_row(cluster_id: int, key: ObjectKey, manifest: dict[str, Any], seq: int, at_us: int) -> Row:
    """The row of an object. A pod's place in the queues and a node's sums are filled in by who knows them."""
    kind, namespace, name = key
    value = objects.decode(kind, manifest)
    common: dict[str, Any] = {
        "cluster_id": cluster_id,
        "name": name,
        "uid": value.uid,
        "manifest": manifest,
        "labels": columns.label_text(value.labels),
        "created_us": columns.created_us(value.metadata, at_us),
        "changed_seq": seq,
    }
    if kind == "Node":
        return Node(**common, **columns.of_node(cast(objects.Node, value), manifest))
    common["namespace"] = namespace
    if kind == "Pod":
        return Pod(**common, **columns.of_pod(cast(objects.Pod, value)))
    if kind == "UnitedDeployment":
        return UnitedDeployment(**common, replicas=replicas_of(manifest))
    return KubeObject(kind=kind, **common)


def replicas_of(manifest: dict[str, Any]) -> int:
    replicas = (manifest.get("spec") or {}).get("replicas")
    return replicas if isinstance(replicas, int) else 1


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
