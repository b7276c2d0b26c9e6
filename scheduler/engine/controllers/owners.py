"""Who controls whom: found without looking at every object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scheduler.engine.objects import KubernetesObject, ObjectKey, kind_of

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

MANAGED = (
    "UnitedDeployment",
    "Deployment",
    "ReplicaSet",
    "StatefulSet",
    "AdvancedStatefulSet",
    "CloneSet",
    "DaemonSet",
    "Job",
)
"""Kinds that have a controller here."""


def controller_of(value: KubernetesObject) -> ObjectKey | None:
    """The key of the object that controls this one, if it is of a kind that has a controller here."""
    for one in value.metadata.owner_references or ():
        if one.controller:
            kind = kind_of(one.api_version, one.kind)
            return (kind, value.namespace or "default", one.name) if kind in MANAGED else None
    return None


class Owners:
    """Keys of owned objects by the key of their controller, in the order in which they came."""

    def __init__(self, objects: Mapping[str, Mapping[str, KubernetesObject]]) -> None:
        self._owned: dict[ObjectKey, dict[ObjectKey, None]] = {}
        for kind, by_key in objects.items():
            if kind == "Pod" or kind in MANAGED or kind == "ControllerRevision":
                for value in by_key.values():
                    self.add(kind, value)

    def add(self, kind: str, value: KubernetesObject) -> ObjectKey | None:
        """Returns the controller."""
        owner = controller_of(value)
        if owner is not None:
            self._owned.setdefault(owner, {})[kind, value.namespace or "default", value.name] = None
        return owner

    def remove(self, kind: str, value: KubernetesObject) -> ObjectKey | None:
        owner = controller_of(value)
        owned = self._owned.get(owner) if owner is not None else None
        if owned is not None and owner is not None:
            owned.pop((kind, value.namespace or "default", value.name), None)
            if not owned:
                del self._owned[owner]
        return owner

    def of(self, owner: ObjectKey, kind: str = "") -> Sequence[ObjectKey]:
        """Everything that `owner` controls, or what of it is of one kind."""
        return [key for key in self._owned.get(owner, ()) if not kind or key[0] == kind]


def owners_of(state: Simulation) -> Owners:
    """Those that controllers keep up; where none is at work, found by a look at every object."""
    return Owners(state.cluster.objects) if state.owners is None else state.owners
