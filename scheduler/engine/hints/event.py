"""Cluster events as the queue knows them: a resource, an action, a label. Source: v1.34.1, framework/events.go."""

from __future__ import annotations

from enum import IntFlag
from functools import lru_cache

import msgspec


class Action(IntFlag):
    """kube-scheduler's ActionType bits. `UPDATE` is every update bit, used where an update says nothing more exact."""

    ADD = 1
    DELETE = 2
    UPDATE_NODE_ALLOCATABLE = 4
    UPDATE_NODE_LABEL = 8
    UPDATE_NODE_TAINT = 16
    UPDATE_NODE_CONDITION = 32
    UPDATE_NODE_ANNOTATION = 64
    UPDATE_POD_LABEL = 128
    UPDATE_POD_SCALE_DOWN = 256
    UPDATE_POD_TOLERATION = 512
    UPDATE_POD_SCHEDULING_GATES_ELIMINATED = 1024
    UPDATE_POD_GENERATED_RESOURCE_CLAIM = 2048
    UPDATE = 4092
    ALL = 4095


def action_name(action: int) -> str:
    """The Go spelling of one action: `UpdateNodeTaint`, `Add`, `Update`."""
    return "".join(word.capitalize() for word in (Action(action).name or "").split("_"))


ACTIONS = {action_name(action): action for action in (*Action, Action.UPDATE, Action.ALL)}
"""Actions by their Go spelling."""

POD, ASSIGNED_POD, UNSCHEDULABLE_POD, NODE, ANY = "Pod", "AssignedPod", "UnschedulablePod", "Node", "*"

RESOURCES = {
    "CSINode": "storage.k8s.io/CSINode",
    "CSIDriver": "storage.k8s.io/CSIDriver",
    "CSIStorageCapacity": "storage.k8s.io/CSIStorageCapacity",
    "StorageClass": "storage.k8s.io/StorageClass",
    "VolumeAttachment": "storage.k8s.io/VolumeAttachment",
    "ResourceClaim": "resource.k8s.io/ResourceClaim",
    "ResourceSlice": "resource.k8s.io/ResourceSlice",
    "DeviceClass": "resource.k8s.io/DeviceClass",
    "PersistentVolume": "PersistentVolume",
    "PersistentVolumeClaim": "PersistentVolumeClaim",
}
"""Kinds besides pods and nodes whose changes reach the queue, with the resource name that is part of a label."""


class ClusterEvent(msgspec.Struct, frozen=True):
    resource: str
    action: int
    name: str = ""

    @property
    def label(self) -> str:
        return self.name or f"{self.resource}{action_name(self.action)}"

    @property
    def is_wildcard(self) -> bool:
        return self.resource == ANY and self.action == Action.ALL


@lru_cache(maxsize=1024)
def event_of(resource: str, action: int) -> ClusterEvent:
    """The event of a change, named by its label once."""
    return ClusterEvent(resource, int(action), f"{resource}{action_name(action)}")


def spelled(event: ClusterEvent) -> list[str]:
    """The events that a registration covers, `Node/Add` each; all of a resource together are `Node/*`.

    Without the API group, which only a label needs.
    """
    resource = event.resource.rpartition("/")[2]
    if event.action == Action.ALL:
        return [f"{resource}/*"]
    if event.action & Action.UPDATE == Action.UPDATE:
        others = [bit for bit in (Action.ADD, Action.DELETE) if event.action & bit]
        return [f"{resource}/{action_name(one)}" for one in (*others, Action.UPDATE)]
    return [f"{resource}/{action_name(one)}" for one in Action(event.action)]


def matches(registered: ClusterEvent, event: ClusterEvent) -> bool:
    """Whether an event is one that was registered for. The numeric comparison is kube-scheduler's own."""
    if registered.is_wildcard:
        return True
    same = registered.resource in (ANY, event.resource) or (
        registered.resource == POD and event.resource in (ASSIGNED_POD, UNSCHEDULABLE_POD)
    )
    return same and registered.action & event.action != 0 and event.action <= registered.action


ASSIGNED_POD_ADD = event_of(ASSIGNED_POD, Action.ADD)
ASSIGNED_POD_DELETE = event_of(ASSIGNED_POD, Action.DELETE)
UNSCHEDULABLE_TIMEOUT = ClusterEvent(ANY, int(Action.ALL), "UnschedulableTimeout")
FORCE_ACTIVATE = ClusterEvent(ANY, int(Action.ALL), "ForceActivate")

POD_ADD = "UnschedulablePodAdd"
POD_UPDATE = "UnschedulablePodUpdate"
ATTEMPT_FAILURE = "ScheduleAttemptFailure"
BACKOFF_COMPLETE = "BackoffComplete"
"""Causes of moves that are not events of the cluster."""
