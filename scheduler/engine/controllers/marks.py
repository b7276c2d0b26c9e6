"""What each event means to controllers. It is called while events are applied, so nothing here decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.engine.controllers.owners import MANAGED, Owners, controller_of
from scheduler.engine.controllers.work import Work
from scheduler.engine.objects import KubernetesObject, ObjectKey, Pod

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation


def switch(state: Simulation) -> None:
    """Controllers begin or end their work, as the settings say; at the beginning everything is looked at."""
    if not state.settings.controllers:
        state.owners, state.work = None, Work()
    elif state.owners is None:
        state.owners = Owners(state.cluster.objects)
        for kind in MANAGED:
            for value in state.objects(kind):
                _mark(state, (kind, value.namespace or "default", value.name))


def added(state: Simulation, kind: str, new: KubernetesObject) -> None:
    if state.owners is not None:
        _touched(state, kind, new, state.owners.add(kind, new))


def updated(state: Simulation, kind: str, old: KubernetesObject | None, new: KubernetesObject) -> None:
    if state.owners is not None:
        if old is not None and controller_of(old) != controller_of(new):
            _mark(state, state.owners.remove(kind, old))
        _touched(state, kind, new, state.owners.add(kind, new))


def patched(state: Simulation, kind: str, new: KubernetesObject, *, is_status: bool) -> None:
    """A status is news to the owner; a UnitedDeployment looks at its own as well, as kruise does."""
    if state.owners is None:
        return
    if is_status and kind != "UnitedDeployment":
        _mark(state, controller_of(new))
    else:
        _touched(state, kind, new, controller_of(new))
    if isinstance(new, Pod):
        state.owners.changed(new)
        state.work.readying.remove(new.key)


def deleted(state: Simulation, kind: str, old: KubernetesObject) -> None:
    """Its controller looks again; of what is managed nothing is due any more."""
    if state.owners is None:
        return
    _mark(state, state.owners.remove(kind, old))
    if kind in MANAGED:
        key = (kind, old.namespace or "default", old.name)
        state.work.forget(key)
        state.owners.forget(key)
    elif kind == "Node":
        _mark_daemons(state)
    elif isinstance(old, Pod):
        state.work.readying.remove(old.key)


def bound(state: Simulation, pod: Pod) -> None:
    """An owned pod will become ready; nobody waits for others."""
    if state.owners is not None and controller_of(pod) is not None:
        state.owners.changed(pod)
        state.work.readying.mark(pod.key, state.now_us + state.settings.ready_us)


def tried(state: Simulation, key: str) -> None:
    """A waiting pod was tried or moved: whether it counts as unschedulable may have changed."""
    pod = state.pods.get(key) if state.owners is not None else None
    if pod is not None and state.owners is not None:
        state.owners.changed(pod)


def _touched(state: Simulation, kind: str, new: KubernetesObject, owner: ObjectKey | None) -> None:
    _mark(state, owner)
    if kind in MANAGED:
        _mark(state, (kind, new.namespace or "default", new.name))
    elif kind == "Node":
        _mark_daemons(state)


def _mark(state: Simulation, key: ObjectKey | None) -> None:
    """Only what is there: the owner of an imported pod may not have been imported."""
    if key is not None and state.cluster.get(*key) is not None:
        state.work.reconciles.mark(key, state.now_us + max(state.settings.controller_us, 1))


def _mark_daemons(state: Simulation) -> None:
    if state.owners is not None:
        state.owners.eligible.clear()
    for value in state.objects("DaemonSet"):
        _mark(state, ("DaemonSet", value.namespace or "default", value.name))
