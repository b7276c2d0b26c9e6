"""Workloads that a UnitedDeployment adopts and releases: found in a simulation, and written as updates of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from scheduler.engine.commands import UpdateObject
from scheduler.engine.controllers.owners import Owners, owners_of
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.objects import update
from scheduler.engine.uniteddeployment.claims import Candidate, Claims, claim, owners_without
from scheduler.engine.uniteddeployment.rendering import owners_with
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, WorkloadKind

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation


def claims_now(
    state: Simulation, key: ObjectKey, ud: UnitedDeployment, owners: Owners
) -> Mapping[WorkloadKind, Claims]:
    """By kind. Raises Invalid."""
    return {kind: claim(ud, _candidates(state, key, kind, owners)) for kind in WorkloadKind}


def _candidates(state: Simulation, key: ObjectKey, kind: WorkloadKind, owners: Owners) -> Iterator[Candidate]:
    for keys, is_owned in ((owners.of(key, kind.label), True), (owners.orphans(kind.label), False)):
        for _, namespace, name in keys:
            one = state.cluster.get(kind.label, namespace, name)
            if one is not None:
                is_deleting = one.metadata.deletion_timestamp is not None
                yield Candidate(kind, namespace, name, one.uid, one.labels, is_owned, is_deleting, one)


def take_over(state: Simulation, key: ObjectKey, ud: UnitedDeployment) -> Mapping[WorkloadKind, Claims]:
    """Claims as they are when those on the template's kind are written: other kinds are for provisioning."""
    claims = claims_now(state, key, ud, owners_of(state))
    own = claims[ud.workload_kind] if ud.workload_kind is not None else Claims()
    if not own.has_changes:
        return claims
    write_claims(state, ud, own.adopted, own.released)
    return claims_now(state, key, ud, owners_of(state))


def write_claims(
    state: Simulation, ud: UnitedDeployment, adopted: Iterable[Candidate], released: Iterable[Candidate]
) -> None:
    """Owner references of what it takes over, and of what it lets go."""
    for one in adopted:
        _write(state, one, owners_with(ud, _references(one)))
    for one in released:
        _write(state, one, owners_without(ud, _references(one)))


def _references(one: Candidate) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = msgspec.to_builtins(one.value.metadata.owner_references or [])
    return found


def _write(state: Simulation, one: Candidate, references: list[dict[str, Any]]) -> None:
    plain: dict[str, Any] = msgspec.to_builtins(one.value)
    metadata = {name: value for name, value in plain["metadata"].items() if name != "ownerReferences"}
    metadata |= {"ownerReferences": references} if references else {}
    version = {"apiVersion": one.kind.api_version, "kind": one.kind.kind}
    update(state, UpdateObject(one.kind.label, {**version, **plain, "metadata": metadata}))
