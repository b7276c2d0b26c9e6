"""What each default plugin registered for, and the function that looks closer at such an event.

Source: v1.34.1, EventsToRegister of each plugin, and `buildQueueingHintMap` for the implicit UpdateNodeTaint.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from scheduler.engine.hints.event import (
    ANY,
    NODE,
    POD,
    RESOURCES,
    Action,
    ClusterEvent,
    event_of,
)
from scheduler.engine.objects import KubernetesObject, Pod

Hint: TypeAlias = Callable[[Pod, KubernetesObject | None, KubernetesObject | None], bool]
"""(pending pod, old object, new object) → whether the pod may fit now. A deletion has no `new`, an addition no `old`."""


class Registration(msgspec.Struct, frozen=True):
    """`hint` None: every such event is worth another attempt."""

    event: ClusterEvent
    hint: Hint | None = None


def _on(resource: str, action: int, hint: Hint | None = None) -> Registration:
    return Registration(event_of(RESOURCES.get(resource, resource), action), hint)


ADD, DELETE, UPDATE = Action.ADD, Action.DELETE, Action.UPDATE
_NODE_TAINT = event_of(NODE, Action.UPDATE_NODE_TAINT)

_TABLE: dict[str, tuple[Registration, ...]] = {
    "SchedulingGates": (_on(POD, Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED),),
    "NodeUnschedulable": (
        _on(NODE, ADD | Action.UPDATE_NODE_TAINT),
        _on(POD, Action.UPDATE_POD_TOLERATION),
    ),
    "NodeName": (_on(NODE, ADD),),
    "TaintToleration": (
        _on(NODE, ADD | Action.UPDATE_NODE_TAINT),
        _on(POD, Action.UPDATE_POD_TOLERATION),
    ),
    "NodeAffinity": (_on(NODE, ADD | Action.UPDATE_NODE_LABEL),),
    "NodePorts": (_on(POD, DELETE), _on(NODE, ADD)),
    "NodeResourcesFit": (
        _on(POD, DELETE | Action.UPDATE_POD_SCALE_DOWN),
        _on(NODE, ADD | Action.UPDATE_NODE_ALLOCATABLE),
    ),
    "VolumeRestrictions": (_on(POD, DELETE), _on(NODE, ADD), _on("PersistentVolumeClaim", ADD)),
    "NodeVolumeLimits": (
        _on("CSINode", ADD),
        _on("CSINode", UPDATE),
        _on(POD, DELETE),
        _on("PersistentVolumeClaim", ADD),
        _on("VolumeAttachment", DELETE),
    ),
    "VolumeBinding": (
        _on("StorageClass", ADD | UPDATE),
        _on("PersistentVolumeClaim", ADD | UPDATE),
        _on("PersistentVolume", ADD | UPDATE),
        _on(NODE, ADD | Action.UPDATE_NODE_LABEL),
        _on("CSINode", ADD | UPDATE),
        _on("CSIDriver", UPDATE),
        _on("CSIStorageCapacity", ADD | UPDATE),
    ),
    "VolumeZone": (
        _on("StorageClass", ADD),
        _on(NODE, ADD | Action.UPDATE_NODE_LABEL),
        _on("PersistentVolumeClaim", ADD | UPDATE),
        _on("PersistentVolume", ADD | UPDATE),
    ),
    "PodTopologySpread": (
        _on(POD, ADD | Action.UPDATE_POD_LABEL | Action.UPDATE_POD_TOLERATION | DELETE),
        _on(NODE, ADD | DELETE | Action.UPDATE_NODE_LABEL | Action.UPDATE_NODE_TAINT),
    ),
    "InterPodAffinity": (
        _on(POD, ADD | Action.UPDATE_POD_LABEL | DELETE),
        _on(NODE, ADD | Action.UPDATE_NODE_LABEL),
    ),
    "DefaultPreemption": (_on(POD, DELETE, lambda _pod, _old, _new: False),),
    "DynamicResources": (
        _on(NODE, ADD | Action.UPDATE_NODE_LABEL | Action.UPDATE_NODE_ALLOCATABLE),
        _on("ResourceClaim", ADD | UPDATE),
        _on(POD, Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM),
        _on("DeviceClass", ADD | UPDATE),
        _on("ResourceSlice", ADD | UPDATE),
    ),
    "PrioritySort": (),
    "ImageLocality": (),
    "NodeResourcesBalancedAllocation": (),
    "DefaultBinder": (),
}

_EVERYTHING = tuple(Registration(event_of(resource, Action.ALL)) for resource in (POD, NODE, *RESOURCES.values()))
"""An algorithm that says nothing about events is retried at every one."""


def registrations(plugin: str) -> tuple[Registration, ...]:
    """All that a plugin registered for, the implicit taint updates of those that look at new nodes included."""
    registered = _TABLE.get(plugin)
    if registered is None:
        return _EVERYTHING
    actions = 0
    for one in registered:
        if one.event.resource in (NODE, ANY):
            actions |= one.event.action
    if actions & ADD and not actions & Action.UPDATE_NODE_TAINT:
        return (*registered, Registration(_NODE_TAINT))
    return registered
