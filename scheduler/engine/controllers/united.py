"""UnitedDeployments: what a pass finds in a simulation, and the events that it becomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from scheduler.engine.commands import UpdateObject
from scheduler.engine.controllers.claiming import claims_now, take_over, write_claims
from scheduler.engine.controllers.look import owned_pods
from scheduler.engine.controllers.making import PassFailed, add_checked, drawn_name, say
from scheduler.engine.controllers.owners import Owners, owners_of
from scheduler.engine.controllers.revisions import KIND as REVISION_KIND
from scheduler.engine.controllers.revisions import keep
from scheduler.engine.controllers.writing import write_status
from scheduler.engine.objects import ControllerRevision, ObjectKey, UnitedDeployment, decode
from scheduler.engine.simulation.clock import to_rfc3339
from scheduler.engine.simulation.objects import patch, remove, update
from scheduler.engine.uniteddeployment import spec as united
from scheduler.engine.uniteddeployment.actions import Delete, Faults
from scheduler.engine.uniteddeployment.claims import Candidate, Claims
from scheduler.engine.uniteddeployment.finding import SubsetsUnreadable, find
from scheduler.engine.uniteddeployment.read_back import read_back
from scheduler.engine.uniteddeployment.reconcile import Found, Pass, reconcile
from scheduler.engine.uniteddeployment.revisions import Revision
from scheduler.engine.uniteddeployment.spec import RESERVED_LABEL, REVISION_LABEL, WorkloadKind
from scheduler.engine.uniteddeployment.state import ExistingSubset
from scheduler.engine.uniteddeployment.status import to_manifest
from scheduler.engine.validation import validate

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

FAIL = "podium.dev/fail-"
"""Annotations `podium.dev/fail-create`, `-delete`, `-update`: subsets whose calls are to fail, to see what follows."""

Map = dict[str, Any]


def reconcile_united_deployment(state: Simulation, key: ObjectKey, workload: UnitedDeployment) -> int:
    """One pass. Returns how long to wait before the next, µs, 0 if no time is known. Raises PassFailed."""
    if workload.metadata.deletion_timestamp is not None:
        return 0
    ud = united.decode(msgspec.to_builtins(workload))
    try:
        found = _found(state, key, ud, take_over(state, key, ud), owners_of(state))
    except SubsetsUnreadable as fault:
        for reason in ("FailedFindSubsets", "Failed FindSubsets"):  # kruise tells it twice
            say(state, key, "Warning", reason, str(fault))
        raise PassFailed(str(fault)) from fault
    done = reconcile(ud, found, faults_of(workload.annotations))
    _carry_out(state, key, ud, done)
    if done.error:
        raise PassFailed(done.error)
    return done.requeue_us


def planned_pass(
    state: Simulation, key: ObjectKey, workload: UnitedDeployment, at_us: int | None = None
) -> tuple[united.UnitedDeployment, Pass]:
    """What a pass would do now, or at `at_us` if nothing else happens; also while controllers are off.

    Changes nothing.
    """
    ud = united.decode(msgspec.to_builtins(workload))
    owners = owners_of(state)
    found = _found(state, key, ud, claims_now(state, key, ud, owners), owners, at_us)
    return ud, reconcile(ud, found, faults_of(workload.annotations))


def existing_subsets(state: Simulation, key: ObjectKey, owners: Owners) -> tuple[ExistingSubset, ...]:
    """What a pass would find; nothing where there is no such UnitedDeployment."""
    workload = state.cluster.get(*key)
    if workload is None:
        return ()
    ud = united.decode(msgspec.to_builtins(workload))
    return _found(state, key, ud, claims_now(state, key, ud, owners), owners).workloads


def _found(
    state: Simulation,
    key: ObjectKey,
    ud: united.UnitedDeployment,
    claims: Mapping[WorkloadKind, Claims],
    owners: Owners,
    at_us: int | None = None,
) -> Found:
    stored = stored_revisions(state, key, owners)
    return find(ud, claims, lambda one: _subset(state, one, owners), stored, state.now_us if at_us is None else at_us)


def _subset(state: Simulation, one: Candidate, owners: Owners) -> ExistingSubset:
    """A workload read back, anew where it or its pods have changed. A Deployment has the pods of its ReplicaSets."""
    kind, child, value = one.kind, (one.kind.label, one.namespace, one.name), one.value
    seen = owners.subset(child)
    if seen is None or seen.manifest is not value:
        makers = owners.of(child, "ReplicaSet") if kind is WorkloadKind.DEPLOYMENT else (child,)
        pods = [owned_pods(state, maker, REVISION_LABEL, owners) for maker in makers]
        found = read_back(kind, msgspec.to_builtins(value), [pod for given in pods for pod in given])
        seen = msgspec.structs.replace(found, manifest=value, live=_sums(given.live() for given in pods))
        owners.keep_subset(child, makers, seen)
    return seen


def _sums(counts: Iterable[Mapping[str, tuple[int, int]]]) -> Mapping[str, tuple[int, int]]:
    sums: dict[str, tuple[int, int]] = {}
    for one in counts:
        for revision, (pods, ready) in one.items():
            before = sums.get(revision, (0, 0))
            sums[revision] = before[0] + pods, before[1] + ready
    return sums


def stored_revisions(state: Simulation, key: ObjectKey, owners: Owners) -> tuple[Revision, ...]:
    """Its ControllerRevisions, the earliest first: of two that have one number that one counts as the older."""
    found = [state.cluster.get(*one) for one in owners.of(key, REVISION_KIND)]
    histories = [one for one in found if isinstance(one, ControllerRevision)]
    histories.sort(key=lambda one: (one.metadata.creation_timestamp or "", one.name))
    return tuple(Revision(one.name, one.revision, (one.data or {}).get("text", ""), one.labels) for one in histories)


def faults_of(annotations: dict[str, str]) -> Faults:
    """`a,b:timeout`: these subsets; a timeout counts as done."""
    given = {what: annotations.get(f"{FAIL}{what}", "") for what in ("create", "delete", "update")}
    names = {what: [one.strip() for one in text.split(",") if one.strip()] for what, text in given.items()}
    create = {name: how or "error" for name, _, how in (one.partition(":") for one in names["create"])}
    return Faults(create, frozenset(names["delete"]), frozenset(names["update"]))


# --- events -----------------------------------------------------------------------------------------------------------


def _carry_out(state: Simulation, key: ObjectKey, ud: united.UnitedDeployment, done: Pass) -> None:
    _keep_revisions(state, key, ud, done)
    for name, is_reserved in done.labels.items():
        pod = state.pods.get(f"{key[1]}/{name}")
        if pod is not None:
            patch(state, "Pod", pod, {"metadata": {"labels": {RESERVED_LABEL: str(is_reserved).lower()}}})
    kind = ud.workload_kind
    assert kind is not None
    for new in done.creates:
        if not new.failed:
            _create(state, kind, key[1], new.manifest)
    _delete(state, key, [one for one in done.deletes if one.kind is kind])
    write_claims(state, ud, done.adopted, done.released)
    _delete(state, key, [one for one in done.deletes if one.kind is not kind])
    for change in done.updates:
        if not change.failed:
            _update(state, kind, change.manifest)
    for pod_name in done.deleted_pods:
        remove(state, "Pod", key[1], pod_name, cause="stuck", by=f"{key[0]}/{key[2]}")
    for event in done.events:
        say(state, key, event.type, event.reason, event.message)
    if not done.error:
        write_status(state, key, to_manifest(done.status))


def _create(state: Simulation, kind: WorkloadKind, namespace: str, manifest: Map) -> None:
    metadata = dict(manifest["metadata"])
    name = metadata["name"] = drawn_name(state, metadata["generateName"], kind.label, namespace)
    metadata["namespace"] = namespace
    metadata["creationTimestamp"] = to_rfc3339(state.now_us)
    metadata["uid"] = f"uid-{namespace}-{name}-{state.seq + 1}"
    add_checked(state, kind.label, {**manifest, "metadata": metadata})


def _delete(state: Simulation, key: ObjectKey, deletes: Iterable[Delete]) -> None:
    for old in deletes:
        if not old.failed:
            remove(state, old.kind.label, key[1], old.workload, cause=old.reason, by=f"{key[0]}/{key[2]}")


def _update(state: Simulation, kind: WorkloadKind, manifest: Map) -> None:
    """A write that changes nothing is none, as in the API server."""
    metadata = manifest["metadata"]
    old = state.cluster.get(kind.label, metadata.get("namespace") or "default", metadata["name"])
    if old != decode(kind.label, manifest):
        if faults := validate(kind.label, manifest):
            raise faults[0]
        update(state, UpdateObject(kind.label, manifest))


def _keep_revisions(state: Simulation, key: ObjectKey, ud: united.UnitedDeployment, done: Pass) -> None:
    if done.revisions is None:
        return
    known = {one.name: one for one in stored_revisions(state, key, owners_of(state))}
    kept = {one.name: one for one in done.revisions.stored}
    for name, one in kept.items():
        if name not in known:
            keep(state, key, ud, one.name, one.number, {"text": one.data}, one.labels)
        elif known[name].number != one.number:
            held = state.cluster.get(REVISION_KIND, key[1], name)
            assert held is not None
            patch(state, REVISION_KIND, held, {"revision": one.number})
    for name in [one for one in known if one not in kept]:
        remove(state, REVISION_KIND, key[1], name, cause="history")
