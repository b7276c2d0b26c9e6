"""Who controls whom: found without looking at every object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scheduler.engine.controllers.crew import Crew
from scheduler.engine.objects import KubernetesObject, ObjectKey, Pod, kind_of
from scheduler.engine.uniteddeployment.spec import WorkloadKind
from scheduler.engine.uniteddeployment.state import ExistingSubset

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


def is_orphan(value: KubernetesObject) -> bool:
    return not any(one.controller for one in value.metadata.owner_references or ())


_ADOPTABLE = frozenset(kind.label for kind in WorkloadKind)
_NO_CREWS: dict[str, Crew] = {}


class Owners:
    """Keys of owned objects by controller and kind, in the order in which they came; and what looks keep.

    `eligible`: by DaemonSet its template and the nodes that it is for; emptied whenever a node changes.
    """

    def __init__(self, objects: Mapping[str, Mapping[str, KubernetesObject]]) -> None:
        self._owned: dict[ObjectKey, dict[str, dict[ObjectKey, None]]] = {}
        self._orphans: dict[str, dict[ObjectKey, None]] = {kind: {} for kind in sorted(_ADOPTABLE)}
        self._crews: dict[ObjectKey, dict[str, Crew]] = {}
        self._subsets: dict[ObjectKey, ExistingSubset] = {}
        self._makers: dict[ObjectKey, ObjectKey] = {}
        self.eligible: dict[ObjectKey, tuple[dict[str, Any], list[str]]] = {}
        for kind, by_key in objects.items():
            if kind == "Pod" or kind in MANAGED or kind == "ControllerRevision":
                for value in by_key.values():
                    self.add(kind, value)

    def add(self, kind: str, value: KubernetesObject) -> ObjectKey | None:
        """A new object, or another version of one. Returns the controller."""
        owner, key = controller_of(value), (kind, value.namespace or "default", value.name)
        if kind in _ADOPTABLE:
            self._orphans[kind].pop(key, None)
            if is_orphan(value):
                self._orphans[kind][key] = None
        if owner is not None:
            self._owned.setdefault(owner, {}).setdefault(kind, {})[key] = None
            self._note(owner, kind, value.name)
        return owner

    def remove(self, kind: str, value: KubernetesObject) -> ObjectKey | None:
        owner, key = controller_of(value), (kind, value.namespace or "default", value.name)
        self._orphans.get(kind, {}).pop(key, None)
        owned = self._owned.get(owner) if owner is not None else None
        if owned is not None and owner is not None:
            owned.get(kind, {}).pop(key, None)
            if not owned.get(kind, True):
                del owned[kind]
            if not owned:
                del self._owned[owner]
            self._note(owner, kind, value.name, gone=True)
        return owner

    def of(self, owner: ObjectKey, kind: str = "") -> Sequence[ObjectKey]:
        """Everything that `owner` controls, kind by kind, or what of it is of one kind."""
        owned = self._owned.get(owner, {})
        return [key for one in ((kind,) if kind else sorted(owned)) for key in owned.get(one, ())]

    def orphans(self, kind: str) -> Sequence[ObjectKey]:
        """Workloads of one of the kinds that a UnitedDeployment may adopt, in all namespaces."""
        return list(self._orphans[kind])

    def crew(self, owner: ObjectKey, label: str) -> Crew:
        """The pods of `owner` as a look reads them by `label`."""
        crews = self._crews.setdefault(owner, {})
        if label not in crews:
            crews[label] = Crew(owner, [name for _, _, name in self.of(owner, "Pod")])
        return crews[label]

    def copy(self) -> Owners:
        """Another one with the same contents. What looks keep is not taken over: the first look makes it anew."""
        made = Owners({})
        made._owned = {
            owner: {kind: dict(keys) for kind, keys in owned.items()} for owner, owned in self._owned.items()
        }
        made._orphans = {kind: dict(keys) for kind, keys in self._orphans.items()}
        return made

    def looked_at(self) -> list[tuple[ObjectKey, str]]:
        """Owner and label of every crew that is kept."""
        return [(owner, label) for owner, crews in self._crews.items() for label in crews]

    def changed(self, pod: Pod) -> None:
        """Something of it that a look may read is another."""
        owner = controller_of(pod)
        if owner is not None:
            self._note(owner, "Pod", pod.name)

    def forget(self, owner: ObjectKey) -> None:
        """Its controller will not look again."""
        self._crews.pop(owner, None)
        self._makers.pop(owner, None)
        self._subsets.pop(owner, None)
        self.eligible.pop(owner, None)

    def subset(self, workload: ObjectKey) -> ExistingSubset | None:
        """What a UnitedDeployment made of a workload, if none of its pods has changed since."""
        return self._subsets.get(workload)

    def keep_subset(self, workload: ObjectKey, makers: Sequence[ObjectKey], subset: ExistingSubset) -> None:
        """`makers`: what its pods are owned by."""
        self._subsets[workload] = subset
        for maker in makers:
            self._makers[maker] = workload

    def _note(self, owner: ObjectKey, kind: str, name: str, *, gone: bool = False) -> None:
        """Something of `owner` came, changed or went."""
        if (workload := self._makers.get(owner, owner if kind == "ReplicaSet" else None)) is not None:
            self._subsets.pop(workload, None)
        for crew in self._crews.get(owner, _NO_CREWS).values() if kind == "Pod" else ():
            crew.gone(name) if gone else crew.changed(name)


def owners_of(state: Simulation) -> Owners:
    """Those that controllers keep up; where none is at work, found by a look at every object."""
    return Owners(state.cluster.objects) if state.owners is None else state.owners
