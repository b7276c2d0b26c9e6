"""Deployments: their ReplicaSets are made, scaled and, when long unused, deleted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from scheduler.engine.controllers.look import owned_pods
from scheduler.engine.controllers.making import add_checked, digest, owner_reference
from scheduler.engine.controllers.writing import write_status
from scheduler.engine.objects import ObjectKey, ReplicaSet, Workload
from scheduler.engine.simulation.clock import from_rfc3339, to_rfc3339
from scheduler.engine.simulation.objects import patch, remove
from scheduler.engine.workloads.deployment import Generation, limits, scaled
from scheduler.engine.workloads.owned import OwnedPods

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

HASH = "pod-template-hash"
DESIRED, MOST = "deployment.kubernetes.io/desired-replicas", "deployment.kubernetes.io/max-replicas"
REVISION = "deployment.kubernetes.io/revision"
HISTORY = 10
_COUNT = re.compile(r"[0-9]{1,10}")
Map = dict[str, Any]


def reconcile_deployment(state: Simulation, key: ObjectKey, workload: Workload) -> int:
    """One pass over its ReplicaSets. Returns how long to wait before the next, µs, 0 if no time is known."""
    spec = workload.spec
    replicas, strategy = 1 if spec.replicas is None else spec.replicas, spec.strategy or {}
    template = spec.template or {}
    name = f"{workload.name}-{digest(template)}"
    if state.cluster.get("ReplicaSet", key[1], name) is None:
        add_checked(state, "ReplicaSet", _manifest(state, key, workload, name))
    sets = _replica_sets(state, key)
    pods = {one: owned_pods(state, ("ReplicaSet", key[1], one)) for one in sets}
    seconds = spec.min_ready_seconds or 0
    found = {one: _generation(sets[one], pods[one], seconds, state.now_us) for one in sets}
    if not spec.paused or any(one.desired not in (None, replicas) for one in found.values()):
        sizes = scaled(replicas, strategy, found[name], [one for other, one in found.items() if other != name])
        if _is_recreate_blocked(strategy, pods, name):
            sizes[name] = found[name].replicas
        _scale(state, sets, sizes, replicas, replicas + limits(strategy, replicas).surge)
    _clean(state, sets, pods, name, HISTORY if spec.revision_history_limit is None else spec.revision_history_limit)
    status = _status(pods, name, seconds, state.now_us)
    waits = [left for one in pods.values() if (left := one.wait_us(seconds, state.now_us))]
    write_status(state, key, status)
    return min(waits, default=0)


def _is_recreate_blocked(strategy: Map, pods: dict[str, OwnedPods], name: str) -> bool:
    """The new generation waits until the last old pod is gone."""
    return strategy.get("type") == "Recreate" and any(len(given) for one, given in pods.items() if one != name)


def _replica_sets(state: Simulation, key: ObjectKey) -> dict[str, ReplicaSet]:
    assert state.owners is not None
    found = (state.cluster.get(*one) for one in state.owners.of(key, "ReplicaSet"))
    return {one.name: cast(ReplicaSet, one) for one in found if one is not None}


def _generation(one: ReplicaSet, pods: OwnedPods, seconds: int, now_us: int) -> Generation:
    created = one.metadata.creation_timestamp
    return Generation(
        name=one.name,
        replicas=1 if one.spec.replicas is None else one.spec.replicas,
        available=pods.available(seconds, now_us),
        created_us=from_rfc3339(created) if created else 0,
        desired=_number(one.annotations.get(DESIRED)),
        most=_number(one.annotations.get(MOST)),
    )


def _number(text: str | None) -> int | None:
    return int(text) if text and _COUNT.fullmatch(text) else None


def _scale(state: Simulation, sets: dict[str, ReplicaSet], sizes: dict[str, int], desired: int, most: int) -> None:
    """Sizes and what they were decided for; a set that is as it should be is left alone."""
    annotations = {DESIRED: str(desired), MOST: str(most)}
    for name, size in sizes.items():
        one = sets[name]
        is_noted = not size or all(one.annotations.get(label) == text for label, text in annotations.items())
        if one.spec.replicas != size or not is_noted:
            patch(state, "ReplicaSet", one, {"spec": {"replicas": size}, "metadata": {"annotations": annotations}})


def _clean(state: Simulation, sets: dict[str, ReplicaSet], pods: dict[str, OwnedPods], name: str, limit: int) -> None:
    unused = [one for one in sets if one != name and not len(pods[one]) and not sets[one].spec.replicas]
    for one in unused[: max(len(unused) - limit, 0)]:
        remove(state, "ReplicaSet", sets[one].namespace or "default", one, cause="history")


def _status(pods: dict[str, OwnedPods], new: str, seconds: int, now_us: int) -> Map:
    return {
        "replicas": sum(len(one.active) for one in pods.values()),
        "updatedReplicas": len(pods[new].active),
        "readyReplicas": sum(one.ready for one in pods.values()),
        "availableReplicas": sum(one.available(seconds, now_us) for one in pods.values()),
    }


def _manifest(state: Simulation, key: ObjectKey, workload: Workload, name: str) -> Map:
    """The label with the template's hash keeps the pods of one generation apart."""
    template, selector = workload.spec.template or {}, workload.spec.selector
    label = {HASH: name.rpartition("-")[2]}
    metadata = template.get("metadata") or {}
    labels = {**(metadata.get("labels") or {}), **label}
    numbers = [_number(one.annotations.get(REVISION)) or 0 for one in _replica_sets(state, key).values()]
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {
            "name": name,
            "namespace": key[1],
            "labels": labels,
            "annotations": {REVISION: str(max(numbers, default=0) + 1)},
            "creationTimestamp": to_rfc3339(state.now_us),
            "ownerReferences": [owner_reference(key[0], workload)],
            "uid": f"uid-{key[1]}-{name}-{state.seq + 1}",
        },
        "spec": {
            "replicas": 0,
            "selector": {"matchLabels": {**((selector and selector.match_labels) or {}), **label}},
            "minReadySeconds": workload.spec.min_ready_seconds or 0,
            "template": {**template, "metadata": {**metadata, "labels": labels}},
        },
    }
