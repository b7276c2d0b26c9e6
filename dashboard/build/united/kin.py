"""Whose pods the log tells of: a pod is its controller's, that one's the UnitedDeployment's, and no name says so."""

from collections.abc import Collection, Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from dashboard.build.united.passes import counted
from scheduler.engine.controllers.owners import Owners, owners_of
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.uniteddeployment.spec import SUBSET_LABEL
from scheduler.models import Event

Manifest = dict[str, Any]
MAKERS = ("CloneSet", "StatefulSet", "AdvancedStatefulSet", "Deployment", "ReplicaSet")
READ = 4_000  # additions of pods that are looked at, newest first
CHUNK = 400


def pods_of(cluster_id: int, head: int, simulation: Simulation, key: ObjectKey) -> dict[str, str]:
    """The subset by pod as the log names it, `Pod/default/web`: those that are, and those that the log tells were."""
    added = Event.objects.filter(counted(cluster_id, head), cluster_id=cluster_id, kind="ObjectAdded")
    makers = _makers(added, key)
    found: dict[str, str] = {}
    rows = _labelled(added.filter(object_key__startswith=f"Pod/{key[1]}/")).order_by("-seq")[:READ]
    for name, payload in rows.values_list("object_key", "payload").iterator():
        subset = makers.get(_owner(payload["manifest"]))
        if subset is not None:
            found.setdefault(name, subset)
    return {**found, **_present(owners_of(simulation), simulation, key)}


def chunks(names: Collection[str]) -> Iterator[list[str]]:
    """As many as a query may name."""
    listed = sorted(names)
    for first in range(0, len(listed), CHUNK):
        yield listed[first : first + CHUNK]


def made_of(cluster_id: int, head: int, key: ObjectKey, since: int) -> list[tuple[int, str, int]]:
    """(seq, subset, replicas that it was made with) of its workloads made after the event `since`, oldest first: no
    status tells of them at once.
    """
    added = Event.objects.filter(counted(cluster_id, head), cluster_id=cluster_id, kind="ObjectAdded", seq__gt=since)
    rows = _labelled(added.filter(_in_places(key))).order_by("seq").values_list("seq", "payload")
    return [
        (seq, one["metadata"]["labels"].get(SUBSET_LABEL, ""), (one.get("spec") or {}).get("replicas") or 0)
        for seq, one in ((seq, payload["manifest"]) for seq, payload in rows.iterator())
        if _owner(one)[:2] == (key[0], key[2]) and (one["metadata"].get("labels") or {})
    ]


def _in_places(key: ObjectKey) -> Q:
    return reduce(or_, (Q(object_key__startswith=f"{kind}/{key[1]}/") for kind in MAKERS))


def _labelled(rows: QuerySet[Event]) -> QuerySet[Event]:
    """Rendering writes the label into a workload and into its pods' template: what has none need not be read."""
    return rows.annotate(text=Cast("payload", TextField())).filter(text__contains=f'"{SUBSET_LABEL}"')


def _makers(added: QuerySet[Event], key: ObjectKey) -> dict[tuple[str, str, str], str]:
    """The subset by workload that was made for it, ReplicaSets of Deployments among them."""
    found: dict[tuple[str, str, str], str] = {}
    rows = _labelled(added.filter(_in_places(key))).order_by("seq")
    for payload in rows.values_list("payload", flat=True).iterator():
        manifest = payload["manifest"]
        owner, metadata = _owner(manifest), manifest.get("metadata") or {}
        subset = found.get(owner)
        if owner[:2] == (key[0], key[2]):
            subset = (metadata.get("labels") or {}).get(SUBSET_LABEL)
        if subset is not None:
            found[manifest.get("kind") or "", metadata.get("name") or "", metadata.get("uid") or ""] = subset
    return found


def _owner(manifest: Manifest) -> tuple[str, str, str]:
    """(kind, name, uid) of the controller, empty without one."""
    for one in (manifest.get("metadata") or {}).get("ownerReferences") or ():
        if one.get("controller"):
            return one.get("kind") or "", one.get("name") or "", one.get("uid") or ""
    return "", "", ""


def _present(owners: Owners, simulation: Simulation, key: ObjectKey) -> dict[str, str]:
    """Of pods that are there now, of adopted workloads as well."""
    found: dict[str, str] = {}
    for workload in owners.of(key):
        value = simulation.cluster.get(*workload)
        subset = (value.metadata.labels or {}).get(SUBSET_LABEL) if value is not None else None
        if subset is not None:
            found |= {"/".join(pod): subset for pod in _pods(owners, workload)}
    return found


def _pods(owners: Owners, workload: ObjectKey) -> Iterable[ObjectKey]:
    yield from owners.of(workload, "Pod")
    for maker in owners.of(workload, "ReplicaSet"):
        yield from owners.of(maker, "Pod")
