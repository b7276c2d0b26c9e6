"""Workloads and pods read back as the subsets that a pass finds.

Source: kruise pkg/controller/uniteddeployment/adapter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.engine.uniteddeployment.claims import Candidate, Claims, claim
from scheduler.engine.uniteddeployment.spec import (
    PATCH_ANNOTATION,
    RESERVED_LABEL,
    REVISION_LABEL,
    SUBSET_LABEL,
    UnitedDeployment,
    WorkloadKind,
)
from scheduler.engine.uniteddeployment.state import ExistingSubset
from scheduler.engine.workloads.owned import OwnedPod

Map = dict[str, Any]
_REVISIONED = (WorkloadKind.STATEFUL_SET, WorkloadKind.ADVANCED_STATEFUL_SET)


def kind_of(manifest: Map) -> WorkloadKind | None:
    """The kind of a workload; an AdvancedStatefulSet is told from a StatefulSet by its API group."""
    group = str(manifest.get("apiVersion", "")).rpartition("/")[0]
    return next(
        (one for one in WorkloadKind if one.kind == manifest.get("kind") and one.group == group),
        None,
    )


def is_owned(manifest: Map, owner: Map) -> bool:
    """Whether `owner` controls an object: by uid, or by kind and name where one of them has no uid."""
    one, uid = _controller(manifest), _metadata(owner).get("uid")
    if one is None:
        return False
    if uid and one.get("uid"):
        return bool(one["uid"] == uid)
    return (one.get("kind"), one.get("name")) == (owner.get("kind"), _metadata(owner).get("name"))


def _controller(manifest: Map) -> Map | None:
    return next((one for one in _metadata(manifest).get("ownerReferences") or () if one.get("controller")), None)


def claims_in(ud: UnitedDeployment, owner: Map, objects: Iterable[Map]) -> dict[WorkloadKind, Claims]:
    """By kind. `owner`: the manifest of `ud`; `objects`: everything that may be or become its own. Raises Invalid."""
    found: dict[WorkloadKind, list[Candidate]] = {kind: [] for kind in WorkloadKind}
    for one in objects:
        kind, metadata = kind_of(one), _metadata(one)
        is_home = metadata.get("namespace", "default") == (ud.namespace or "default")
        is_ours = kind is not None and is_home and is_owned(one, owner)
        if kind is not None and (is_ours or _controller(one) is None):
            found[kind].append(_candidate(kind, one, is_owned=is_ours))
    return {kind: claim(ud, candidates) for kind, candidates in found.items()}


def _candidate(kind: WorkloadKind, manifest: Map, *, is_owned: bool) -> Candidate:
    metadata = _metadata(manifest)
    return Candidate(
        kind=kind,
        namespace=metadata.get("namespace") or "default",
        name=metadata.get("name", ""),
        uid=metadata.get("uid") or "",
        labels=metadata.get("labels") or {},
        is_owned=is_owned,
        is_deleting=bool(metadata.get("deletionTimestamp")),
        value=manifest,
    )


def read_in(one: Candidate, objects: Iterable[Map]) -> ExistingSubset:
    """`objects`: with the pods that it may have. Raises Invalid."""
    near = [each for each in objects if (_metadata(each).get("namespace") or "default") == one.namespace]
    return read_back(one.kind, one.value, [pod_of(pod) for pod in _pods(one.value, near)])


def read_back(kind: WorkloadKind, workload: Map, pods: Iterable[OwnedPod]) -> ExistingSubset:
    """Raises Invalid where the label that names the subset is missing: the whole pass fails then."""
    metadata, spec, status = _metadata(workload), workload.get("spec") or {}, workload.get("status") or {}
    labels = metadata.get("labels") or {}
    if SUBSET_LABEL not in labels:
        raise Invalid(f"{kind.label} {metadata.get('name')} has no label {SUBSET_LABEL}", "metadata.labels")
    owned = tuple(pods)
    on_delete = kind in _REVISIONED and (spec.get("updateStrategy") or {}).get("type") == "OnDelete"
    revision = labels.get(REVISION_LABEL, "")
    return ExistingSubset(
        name=labels[SUBSET_LABEL],
        workload=metadata.get("name", ""),
        kind=kind,
        spec_replicas=1 if spec.get("replicas") is None else spec["replicas"],
        partition=sum(one.revision != revision for one in owned) if on_delete else _partition(kind, spec),
        status_replicas=status.get("replicas") or 0,
        ready_replicas=status.get("readyReplicas") or 0,
        revision=revision,
        patch=(metadata.get("annotations") or {}).get(PATCH_ANNOTATION, ""),
        pods=owned,
        manifest=workload,
    )


def _partition(kind: WorkloadKind, spec: Map) -> int:
    """A CloneSet's may be a percentage of its replicas, rounded up; a Deployment has none."""
    strategy = spec.get("updateStrategy") or {}
    given = (strategy.get("rollingUpdate") or {}).get("partition", strategy.get("partition")) or 0
    if kind is WorkloadKind.DEPLOYMENT:
        return 0
    if isinstance(given, str) and given.endswith("%") and given[:-1].isdecimal():
        return math.ceil((spec.get("replicas") or 0) * int(given[:-1]) / 100)
    return int(given)


def pod_of(manifest: Map) -> OwnedPod:
    """A pod as it stands in a file. Raises ValueError for a time that is none."""
    metadata, status = _metadata(manifest), manifest.get("status") or {}
    labels = metadata.get("labels") or {}
    conditions = {one.get("type"): one for one in status.get("conditions") or ()}
    ready, scheduled = conditions.get("Ready"), conditions.get("PodScheduled") or {}
    created = metadata.get("creationTimestamp")
    return OwnedPod(
        name=metadata.get("name", ""),
        phase=status.get("phase", ""),
        created_us=from_rfc3339(created) if created else None,
        node_name=(manifest.get("spec") or {}).get("nodeName") or "",
        unschedulable=scheduled.get("status") == "False" and scheduled.get("reason") == "Unschedulable",
        ready=None if ready is None else ready.get("status") == "True",
        ready_since_us=from_rfc3339(ready["lastTransitionTime"]) if ready and ready.get("lastTransitionTime") else 0,
        revision=labels.get(REVISION_LABEL, ""),
        reserved=labels.get(RESERVED_LABEL, ""),
        deleting=bool(metadata.get("deletionTimestamp")),
    )


def _pods(workload: Map, objects: list[Map]) -> list[Map]:
    """Pods controlled by the workload, or by a ReplicaSet of it."""
    owners = [workload, *(one for one in objects if one.get("kind") == "ReplicaSet" and is_owned(one, workload))]
    return [one for one in objects if one.get("kind") == "Pod" and any(is_owned(one, owner) for owner in owners)]


def _metadata(manifest: Map) -> Map:
    return manifest.get("metadata") or {}
