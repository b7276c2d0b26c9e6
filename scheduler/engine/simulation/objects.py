"""Commands on objects, and what the scheduler's informers make of them. Source: v1.34.1, eventhandlers.go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from scheduler.engine.commands import ActivatePods, AddObject, DeleteObject, UpdateObject
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.events import ObjectAdded, ObjectDeleted, ObjectPatched, ObjectUpdated
from scheduler.engine.hints.changes import node_changes, pod_changes
from scheduler.engine.hints.event import (
    ASSIGNED_POD_ADD,
    ASSIGNED_POD_DELETE,
    NODE,
    POD_UPDATE,
    RESOURCES,
    Action,
    ClusterEvent,
    event_of,
)
from scheduler.engine.objects import (
    CLUSTER_SCOPED,
    KubernetesObject,
    Node,
    ObjectKey,
    Pod,
    UnitedDeployment,
    Workload,
    decode,
    key_of,
)
from scheduler.engine.queue.entry import GATED, UNSCHEDULABLE
from scheduler.engine.queue.nominator import uid_of

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

_IMMORTAL = ("default", "kube-system", "kube-public")
_NODE_ADD, _NODE_DELETE = event_of(NODE, Action.ADD), event_of(NODE, Action.DELETE)


# --- commands ---------------------------------------------------------------------------------------------------------


def add(state: Simulation, command: AddObject) -> None:
    """A new object; what waits for its kind is asked again. Raises Refused if it exists, Invalid if unreadable."""
    kind, manifest = command.kind, command.manifest
    new = read(kind, manifest)
    if state.cluster.get(*key_of(kind, manifest)) is not None:
        raise Refused(f"{_name(kind, new)} exists already.")
    state.emit(ObjectAdded(kind, manifest))
    if isinstance(new, Pod):
        _pod_added(state, new)
    elif isinstance(new, Node):
        state.control.move_all(_NODE_ADD, None, new)
    elif kind in RESOURCES:
        state.control.move_all(event_of(RESOURCES[kind], Action.ADD), None, new)


def update(state: Simulation, command: UpdateObject) -> None:
    """A new manifest. Raises Refused if there is no such object or a pod would move, Invalid if it cannot be read."""
    kind, manifest = command.kind, command.manifest
    new = read(kind, manifest)
    old = state.cluster.get(*key_of(kind, manifest))
    if old is None:
        raise Refused(f"{_name(kind, new)} does not exist.")
    if isinstance(new, Pod) and isinstance(old, Pod):
        _refuse_moving(old, new)
        state.emit(ObjectUpdated(kind, manifest))
        pod_updated(state, old, new)
        return
    state.emit(ObjectUpdated(kind, _with_status(manifest, old)))
    for event in _update_events(kind, old, new):
        state.control.move_all(event, old, new)


def _with_status(manifest: dict[str, Any], old: KubernetesObject) -> dict[str, Any]:
    """Who writes what a workload is to be says nothing of what it is: that stays, as with a status subresource."""
    status = old.status if isinstance(old, (Workload, UnitedDeployment)) else None
    return {**manifest, "status": status} if status and not manifest.get("status") else manifest


def patch(state: Simulation, kind: str, old: KubernetesObject, fields: dict[str, Any]) -> None:
    """Change some fields of an object that is no node, and wake who may gain from it."""
    namespace = "" if kind in CLUSTER_SCOPED else old.namespace or "default"
    state.emit(ObjectPatched(kind, namespace, old.name, fields))
    new = state.cluster.get(kind, namespace, old.name)
    assert new is not None
    if isinstance(old, Pod) and isinstance(new, Pod):
        pod_updated(state, old, new)
    for event in _update_events(kind, old, new):
        state.control.move_all(event, old, new)


def delete(state: Simulation, command: DeleteObject) -> None:
    remove(state, command.kind, command.namespace, command.name, command.cause, command.by)


def remove(state: Simulation, kind: str, namespace: str, name: str, cause: str = "", by: str = "") -> None:
    """Delete an object, what it owns and what is in it, and wake who may gain from it. Raises Refused."""
    if kind == "Namespace":
        _remove_namespace(state, name, cause, by)
        return
    _remove(state, kind, namespace, name, cause, by)
    going = [(owned, f"{kind}/{name}") for owned in reversed(_owned(state, kind, namespace, name))]
    while going:  # a chain of owners may be longer than calls can nest
        owned, owner = going.pop()
        if state.cluster.get(*owned) is not None:
            _remove(state, *owned, cause="owner deleted", by=owner)
            going += [(one, f"{owned[0]}/{owned[2]}") for one in reversed(_owned(state, *owned))]


def _remove_namespace(state: Simulation, name: str, cause: str, by: str) -> None:
    """With all that is in it, as the namespace controller does. Every event that follows names it."""
    if name in _IMMORTAL:
        raise Refused(f'namespaces "{name}" is forbidden: this namespace may not be deleted')
    if state.cluster.get("Namespace", "", name) is None:
        raise Refused(f"Namespace {name} does not exist.")
    _remove(state, "Namespace", "", name, cause, by)
    for key in contents(state, name):
        if state.cluster.get(*key) is not None:  # it may have gone with its owner
            remove(state, *key, cause="namespace deleted", by=f"Namespace/{name}")


def contents(state: Simulation, namespace: str) -> list[ObjectKey]:
    """What is in a namespace: pods last, so that those who would make them anew are gone before them."""
    kinds = (kind for kind in state.cluster.objects if kind not in CLUSTER_SCOPED)
    inside = (
        (kind, one.namespace or "default", one.name)
        for kind in kinds
        for one in state.cluster.objects[kind].values()
        if (one.namespace or "default") == namespace
    )
    return sorted(inside, key=lambda key: (key[0] == "Pod", key))


def _owned(state: Simulation, kind: str, namespace: str, name: str) -> Sequence[ObjectKey]:
    return state.owners.of((kind, namespace, name)) if state.owners is not None else ()


def _remove(state: Simulation, kind: str, namespace: str, name: str, cause: str, by: str) -> None:
    old = state.cluster.get(kind, namespace, name)
    if old is None:
        raise Refused(f"{kind} {namespace + '/' if namespace else ''}{name} does not exist.")
    if isinstance(old, Pod):
        state.control.remove(old.key)
    state.emit(ObjectDeleted(kind, namespace, name, cause, by))
    if isinstance(old, Pod):
        _pod_gone(state, old)
    elif isinstance(old, Node):
        state.control.move_all(_NODE_DELETE, old, None)
    elif kind in RESOURCES:
        state.control.move_all(event_of(RESOURCES[kind], Action.DELETE), old, None)


def activate(state: Simulation, command: ActivatePods) -> None:
    unknown = [key for key in command.keys if key not in state.pods]
    if unknown:
        raise Refused(f"There is no pod {unknown[0]}.")
    state.control.activate(state.pods[key] for key in command.keys)


def queue_anew(state: Simulation) -> None:
    """After a change of profiles: pods that are ours now are queued, pods that are not any more leave."""
    for pod in list(state.pods.values()):
        queued, ours = state.queue.get(pod.key), is_ours(state, pod)
        if queued is not None and not ours:
            state.control.remove(pod.key)
        elif queued is None and ours and not pod.node_name and not pod.is_finished:
            state.control.add(pod)


# --- pods -------------------------------------------------------------------------------------------------------------


def _pod_added(state: Simulation, pod: Pod) -> None:
    if pod.is_finished:
        return
    if pod.node_name:
        state.control.move_all(ASSIGNED_POD_ADD, None, pod)
    elif is_ours(state, pod):
        state.control.add(pod)


def pod_updated(state: Simulation, old: Pod, new: Pod) -> None:
    """The handlers of a pod's update; the update itself has been applied."""
    was_seen, is_seen = not old.is_finished, not new.is_finished
    if not is_seen:
        state.control.remove(old.key)
        if was_seen:
            _pod_gone(state, old)
    elif not was_seen:
        _pod_added(state, new)
    elif old.node_name:
        for event in pod_changes(old, new):
            state.control.move_all(event, old, new)
    elif new.node_name:
        state.control.remove(old.key)
        state.control.move_all(ASSIGNED_POD_ADD, None, new)
        nomination_gone(state, old)
    elif is_ours(state, new):
        _waiting_pod_updated(state, old, new)
    else:
        state.control.remove(new.key)


def _waiting_pod_updated(state: Simulation, old: Pod, new: Pod) -> None:
    events = pod_changes(old, new)
    queued = state.queue.waiting(new.key)
    if uid_of(new) in state.queue.in_flight:
        state.control.record_for_flying(events, old, new)
    elif queued is None:
        state.control.add(new, POD_UPDATE)
    elif queued.place in (UNSCHEDULABLE, GATED):
        state.control.update_unschedulable(queued, events, old, new)
    if old.nominated_node_name != new.nominated_node_name:
        nomination_gone(state, old)


def _pod_gone(state: Simulation, pod: Pod) -> None:
    if pod.is_finished:
        return
    if pod.node_name:
        state.control.move_all(ASSIGNED_POD_DELETE, pod, None)
    else:
        nomination_gone(state, pod)


def nomination_gone(state: Simulation, pod: Pod) -> None:
    """A pod of ours gave up the node that it was nominated to: pods of at most its priority may use it."""
    if pod.nominated_node_name and is_ours(state, pod):
        state.control.move_all(ASSIGNED_POD_DELETE, pod, None, _not_above(pod.priority))


def is_ours(state: Simulation, pod: Pod) -> bool:
    """Whether one of our schedulers is responsible for the pod."""
    return state.profiles.get(pod.spec.scheduler_name) is not None


def _not_above(priority: int) -> Callable[[Pod], bool]:
    return lambda pod: pod.priority <= priority


# --- inner ------------------------------------------------------------------------------------------------------------


def _update_events(kind: str, old: KubernetesObject, new: KubernetesObject) -> list[ClusterEvent]:
    if isinstance(old, Node) and isinstance(new, Node):
        return node_changes(old, new)
    return [event_of(RESOURCES[kind], Action.UPDATE)] if kind in RESOURCES else []


def read(kind: str, manifest: dict[str, object]) -> KubernetesObject:
    """The typed object of an admitted manifest. Raises Invalid."""
    try:
        new = decode(kind, manifest)
    except msgspec.ValidationError as problem:
        raise Invalid(str(problem), kind) from problem
    if not new.name:
        raise Invalid("a name is required", "metadata.name")
    return new


def _refuse_moving(old: Pod, new: Pod) -> None:
    if old.node_name and new.node_name != old.node_name:
        raise Refused(f"Pod {old.key} is on node {old.node_name} and cannot be moved; delete it and create it anew.")


def _name(kind: str, value: KubernetesObject) -> str:
    return f"{kind} {value.key}" if isinstance(value, (Pod, Node)) else f"{kind} {value.name}"
