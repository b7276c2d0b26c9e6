"""What the queue's events mean in plain words: the one vocabulary of every page. The names are kube-scheduler's."""

from collections.abc import Iterator

from scheduler.engine.hints.event import (
    ASSIGNED_POD,
    ATTEMPT_FAILURE,
    BACKOFF_COMPLETE,
    FORCE_ACTIVATE,
    NODE,
    POD,
    POD_ADD,
    POD_UPDATE,
    RESOURCES,
    UNSCHEDULABLE_POD,
    UNSCHEDULABLE_TIMEOUT,
    Action,
    ClusterEvent,
    event_of,
    spelled,
)
from scheduler.engine.hints.table import is_implicit
from scheduler.engine.simulation.moves import BIND, POP, POP_FROM_BACKOFF, REMOVE

OWN = {
    POD_ADD: "a new pod",
    POD_UPDATE: "the waiting pod was changed",
    ATTEMPT_FAILURE: "no node fits, or an error",
    BACKOFF_COMPLETE: "its backoff is over",
    UNSCHEDULABLE_TIMEOUT.label: "the flush, after a long wait",
    FORCE_ACTIVATE.label: "somebody asked for a retry",
    POP: "its turn came",
    POP_FROM_BACKOFF: "early, as ActiveQ was empty",
    BIND: "it has a node",
    REMOVE: "it no longer waits",
}
"""Causes that are no change of an object."""

OBJECTS = {
    POD: "a pod",
    ASSIGNED_POD: "a placed pod",
    UNSCHEDULABLE_POD: "the waiting pod",
    NODE: "a node",
    "CSINode": "a node's list of CSI drivers",
    "CSIDriver": "a CSI driver",
    "CSIStorageCapacity": "a storage capacity",
    "StorageClass": "a storage class",
    "VolumeAttachment": "a volume attachment",
    "ResourceClaim": "a resource claim",
    "ResourceSlice": "a resource slice",
    "DeviceClass": "a device class",
    "PersistentVolume": "a volume",
    "PersistentVolumeClaim": "a volume claim",
}

HAPPENED = {
    Action.ADD: "{} was added",
    Action.DELETE: "{} was deleted",
    Action.UPDATE: "{} was changed",
    Action.ALL: "any change of {}",
    Action.UPDATE_NODE_ALLOCATABLE: "{}'s allocatable amounts changed",
    Action.UPDATE_NODE_LABEL: "{}'s labels changed",
    Action.UPDATE_NODE_TAINT: "{}'s taints changed",
    Action.UPDATE_NODE_CONDITION: "{}'s conditions changed",
    Action.UPDATE_NODE_ANNOTATION: "{}'s annotations changed",
    Action.UPDATE_POD_LABEL: "{}'s labels changed",
    Action.UPDATE_POD_SCALE_DOWN: "{} asks for less",
    Action.UPDATE_POD_TOLERATION: "{}'s tolerations changed",
    Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED: "the last gate of {} opened",
    Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM: "{}'s resource claims were made",
}


def meaning(name: str) -> str:
    """Of a label (`NodeAdd`, `BackoffComplete`) or a registration (`Node/Add`); "" of a name that nobody knows."""
    return MEANINGS.get(name, "")


def meaning_for(name: str, plugin: str) -> str:
    """Of a label, and what it is to the plugin whose hint decided: one that is never asked says so."""
    means = meaning(name)
    return (
        f"{means}; {plugin} refused it, and gets its pods back at any such change" if unasked(name, plugin) else means
    )


def unasked(name: str, plugin: str) -> bool:
    """Whether no hint of the plugin looked at the event: it hears of changed taints since it hears of new nodes."""
    return bool(plugin) and is_implicit(plugin, name)


def named(name: str) -> str:
    """`NodeAdd: a node was added`; the name alone where nobody knows what it means."""
    means = meaning(name)
    return f"{name}: {means}" if means else name


def _meanings() -> Iterator[tuple[str, str]]:
    """By label, with and without the API group, and as a registration is spelled."""
    for resource, what in OBJECTS.items():
        for action, words in HAPPENED.items():
            if not _is_of(resource, action.name or ""):
                continue
            told = words.format(what)
            yield event_of(resource, action).label, told
            yield event_of(RESOURCES.get(resource, resource), action).label, told
            yield from ((name, told) for name in spelled(ClusterEvent(resource, int(action))))


def _is_of(resource: str, action: str) -> bool:
    if action.startswith("UPDATE_NODE"):
        return resource == NODE
    return not action.startswith("UPDATE_POD") or resource in (POD, ASSIGNED_POD, UNSCHEDULABLE_POD)


MEANINGS = {**dict(_meanings()), **OWN}
