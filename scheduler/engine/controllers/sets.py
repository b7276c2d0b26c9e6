"""ReplicaSets, StatefulSets of both kinds, CloneSets and Jobs: from a wish to events."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from scheduler.engine.controllers import revisions
from scheduler.engine.controllers.look import REVISION_HASH, owned_pods
from scheduler.engine.controllers.making import (
    add_checked,
    context_of,
    drawn_name,
    make_pod,
    spec_of,
)
from scheduler.engine.controllers.writing import carry_out, counted, status_of
from scheduler.engine.objects import ObjectKey, Workload
from scheduler.engine.workloads.actions import NewPod, Wanted
from scheduler.engine.workloads.clone_set import Clones, clone_set
from scheduler.engine.workloads.job import job
from scheduler.engine.workloads.replica_set import replica_set
from scheduler.engine.workloads.stateful_set import Ordinals, stateful_set

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

Map = dict[str, Any]
POD_INDEX, POD_NAME = "apps.kubernetes.io/pod-index", "statefulset.kubernetes.io/pod-name"


def reconcile_replica_set(state: Simulation, key: ObjectKey, workload: Workload) -> int:
    """Every function of this kind returns how long to wait before the next look, µs, 0 if no time is known."""
    spec = workload.spec
    wanted = replica_set(
        _replicas(workload),
        owned_pods(state, key),
        state.now_us,
        min_ready_seconds=spec.min_ready_seconds or 0,
    )
    return carry_out(state, key, wanted, partial(_make, state, key, workload))


def reconcile_job(state: Simulation, key: ObjectKey, workload: Workload) -> int:
    """Pods that have run to their end are gone; the status remembers how many there were."""
    succeeded = counted(status_of(workload), "succeeded")
    wanted = job(spec_of(workload), owned_pods(state, key), succeeded, state.now_us)
    return carry_out(state, key, wanted, partial(_make, state, key, workload))


def reconcile_clone_set(state: Simulation, key: ObjectKey, workload: Workload) -> int:
    return _reconcile_revised(state, key, workload, lambda *found: clone_set(Clones.of(spec_of(workload)), *found))


def reconcile_stateful_set(state: Simulation, key: ObjectKey, workload: Workload) -> int:
    def decide(*found: Any) -> Wanted:
        asked = Ordinals.of(workload.name, spec_of(workload), advanced=key[0] == "AdvancedStatefulSet")
        return stateful_set(asked, *found)

    return _reconcile_revised(state, key, workload, decide)


def _reconcile_revised(state: Simulation, key: ObjectKey, workload: Workload, decide: Callable[..., Wanted]) -> int:
    """Of the kinds whose pods may be of an earlier template. `decide(pods, current, updated, now_us)`."""
    updated = revisions.updated_revision(state, key, workload, workload.spec.template or {})
    current = status_of(workload).get("currentRevision") or updated
    pods = owned_pods(state, key)
    used = {current, updated, *pods.revisions}
    wanted = decide(pods, current, updated, state.now_us)
    waits = carry_out(state, key, wanted, partial(_make_revised, state, key, workload))
    revisions.clean(state, key, used, workload.spec.revision_history_limit)
    return waits


def _replicas(workload: Workload) -> int:
    return 1 if workload.spec.replicas is None else workload.spec.replicas


def _make(state: Simulation, key: ObjectKey, workload: Workload, new: NewPod) -> None:
    name = drawn_name(state, f"{workload.name}-", "Pod", key[1])
    make_pod(state, key, workload.spec.template or {}, name, {})


def _make_revised(state: Simulation, key: ObjectKey, workload: Workload, new: NewPod) -> None:
    """A revision whose template was forgotten is made from today's."""
    template = revisions.template_of(state, key, new.revision) or workload.spec.template or {}
    name = new.name or drawn_name(state, f"{workload.name}-", "Pod", key[1])
    labels = {REVISION_HASH: new.revision}
    if new.name:
        labels |= {POD_NAME: name, POD_INDEX: name.rpartition("-")[2]}
        template = _with_claims(state, key, workload, template, name)
    make_pod(state, key, template, name, labels)


def _with_claims(state: Simulation, key: ObjectKey, workload: Workload, template: Map, pod: str) -> Map:
    """Each claim template makes a claim of the pod's own, which outlives the pod."""
    given = workload.spec.volume_claim_templates or []
    names = {(one.get("metadata") or {}).get("name", ""): one for one in given}
    if not names:
        return template
    for name, claim in names.items():
        _claim(state, key[1], f"{name}-{pod}", claim)
    spec = dict(template.get("spec") or {})
    others = [one for one in spec.get("volumes") or () if one.get("name") not in names]
    own = [{"name": name, "persistentVolumeClaim": {"claimName": f"{name}-{pod}"}} for name in names]
    return {**template, "spec": {**spec, "volumes": [*others, *own]}}


def _claim(state: Simulation, namespace: str, name: str, template: Map) -> None:
    if state.cluster.get("PersistentVolumeClaim", namespace, name) is None:
        metadata = {**(template.get("metadata") or {}), "name": name, "namespace": namespace}
        manifest = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata}
        add_admitted(state, "PersistentVolumeClaim", {**manifest, "spec": template.get("spec") or {}})


def add_admitted(state: Simulation, kind: str, manifest: Map) -> None:
    from scheduler.engine.admission.admission import admit

    add_checked(state, kind, admit(kind, manifest, context_of(state)))
