"""Whose a workload is: matching orphans are adopted, owned ones that no longer match are released.

Source: kruise pkg/util/refmanager; controller-runtime v0.20.2 pkg/controller/controllerutil.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from scheduler.engine.errors import aggregate
from scheduler.engine.uniteddeployment.rendering import is_same_owner, owner_reference
from scheduler.engine.uniteddeployment.revisions import selector_of
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, WorkloadKind

Map = dict[str, Any]


class Candidate(msgspec.Struct, frozen=True):
    """A workload that the UnitedDeployment controls (`is_owned`) or nobody does. `value`: a mapping or an object."""

    kind: WorkloadKind
    namespace: str
    name: str
    uid: str
    labels: dict[str, str]
    is_owned: bool
    is_deleting: bool
    value: Any


class Claims(msgspec.Struct, frozen=True):
    """`kept`: those that a pass reads, the `adopted` among them. `error`: why some could not be adopted."""

    kept: Sequence[Candidate] = ()
    adopted: Sequence[Candidate] = ()
    released: Sequence[Candidate] = ()
    error: str = ""

    @property
    def has_changes(self) -> bool:
        return bool(self.adopted or self.released)


def claim(ud: UnitedDeployment, workloads: Iterable[Candidate]) -> Claims:
    """`workloads`: of one kind and all namespaces, without those that others control. Raises Invalid."""
    selector, is_going = selector_of(ud), ud.metadata.deletion_timestamp is not None
    kept, wanted, released = list[Candidate](), list[Candidate](), list[Candidate]()
    for one in workloads:
        matches = selector.matches(one.labels)
        if one.is_owned:
            (kept if matches else released).append(one)
        elif matches and not is_going and not one.is_deleting:
            wanted.append(one)
    wanted.sort(key=_place)
    errors = [fault for one in wanted if (fault := _fault(ud, one))]
    adopted = [one for one in wanted if not _fault(ud, one)]
    given_up = [] if is_going else sorted(released, key=_place)
    return Claims([*kept, *adopted], adopted, given_up, aggregate(errors) if errors else "")


def _place(one: Candidate) -> tuple[str, str]:
    return one.namespace, one.name


def _fault(ud: UnitedDeployment, one: Candidate) -> str:
    """Workloads are listed in all namespaces, but none can be owned from another one: every pass fails then."""
    home = ud.namespace or "default"
    if one.namespace == home:
        return ""
    why = f"cross-namespace owner references are disallowed, owner's namespace {home}, obj's namespace {one.namespace}"
    return f"can't set Object {one.namespace}/{one.name} ({one.uid}) owner reference: {why}"


def owners_without(ud: UnitedDeployment, held: Iterable[Map]) -> list[Map]:
    """Owner references of a workload once it is released."""
    ours = owner_reference(ud)
    return [one for one in held if not is_same_owner(one, ours)]
