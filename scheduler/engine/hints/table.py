"""What each default plugin registered for, and the function that looks closer at such an event.

Source: v1.34.1, EventsToRegister of each plugin, and `buildQueueingHintMap` for the implicit UpdateNodeTaint.
"""

from __future__ import annotations

import msgspec

from scheduler.engine.hints import nodes, pods, storage
from scheduler.engine.hints.context import Context, Hint
from scheduler.engine.hints.event import ANY, NODE, POD, RESOURCES, Action, ClusterEvent, event_of, spelled
from scheduler.engine.objects import KubernetesObject, Pod


class Registration(msgspec.Struct, frozen=True):
    """`hint` None: every such event is worth another attempt."""

    event: ClusterEvent
    hint: Hint | None = None


def _on(resource: str, action: int, hint: Hint | None = None) -> Registration:
    return Registration(event_of(RESOURCES.get(resource, resource), action), hint)


ADD, DELETE, UPDATE = Action.ADD, Action.DELETE, Action.UPDATE
IMPLICIT = Registration(event_of(NODE, Action.UPDATE_NODE_TAINT))
"""What every plugin that hears of new nodes hears of too, without being asked: a node may come with a taint."""


def _never(waiting: Pod, old: KubernetesObject | None, new: KubernetesObject | None, about: Context) -> bool:
    return False


_TABLE: dict[str, tuple[Registration, ...]] = {
    "SchedulingGates": (_on(POD, Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED, nodes.gates_eliminated),),
    "NodeUnschedulable": (
        _on(NODE, ADD | Action.UPDATE_NODE_TAINT, nodes.unschedulable_node),
        _on(POD, Action.UPDATE_POD_TOLERATION, nodes.unschedulable_toleration),
    ),
    "NodeName": (_on(NODE, ADD),),
    "TaintToleration": (
        _on(NODE, ADD | Action.UPDATE_NODE_TAINT, nodes.tainted_node),
        _on(POD, Action.UPDATE_POD_TOLERATION, nodes.toleration),
    ),
    "NodeAffinity": (_on(NODE, ADD | Action.UPDATE_NODE_LABEL, nodes.affine_node),),
    "NodePorts": (_on(POD, DELETE, nodes.freed_ports), _on(NODE, ADD)),
    "NodeResourcesFit": (
        _on(POD, DELETE | Action.UPDATE_POD_SCALE_DOWN, nodes.freed_resources),
        _on(NODE, ADD | Action.UPDATE_NODE_ALLOCATABLE, nodes.roomier_node),
    ),
    "VolumeRestrictions": (
        _on(POD, DELETE, storage.freed_volume),
        _on(NODE, ADD),
        _on("PersistentVolumeClaim", ADD, storage.claim_of_volume),
    ),
    "NodeVolumeLimits": (
        _on("CSINode", ADD),
        _on("CSINode", UPDATE, storage.raised_limit),
        _on(POD, DELETE, storage.detached),
        _on("PersistentVolumeClaim", ADD, storage.claim),
        _on("VolumeAttachment", DELETE, storage.attachment_gone),
    ),
    "VolumeBinding": (
        _on("StorageClass", ADD | UPDATE, storage.topologies_of_class),
        _on("PersistentVolumeClaim", ADD | UPDATE, storage.claim),
        _on("PersistentVolume", ADD | UPDATE),
        _on(NODE, ADD | Action.UPDATE_NODE_LABEL),
        _on("CSINode", ADD | UPDATE, storage.migrated_plugins),
        _on("CSIDriver", UPDATE, storage.capacity_unchecked),
        _on("CSIStorageCapacity", ADD | UPDATE, storage.more_capacity),
    ),
    "VolumeZone": (
        _on("StorageClass", ADD, storage.waiting_class),
        _on(NODE, ADD | Action.UPDATE_NODE_LABEL),
        _on("PersistentVolumeClaim", ADD | UPDATE, storage.claim_of_volume),
        _on("PersistentVolume", ADD | UPDATE, storage.moved_volume),
    ),
    "PodTopologySpread": (
        _on(POD, ADD | Action.UPDATE_POD_LABEL | Action.UPDATE_POD_TOLERATION | DELETE, pods.spread_by_pods),
        _on(NODE, ADD | DELETE | Action.UPDATE_NODE_LABEL | Action.UPDATE_NODE_TAINT, pods.spread_by_nodes),
    ),
    "InterPodAffinity": (
        _on(POD, ADD | Action.UPDATE_POD_LABEL | DELETE, pods.affinity_by_pods),
        _on(NODE, ADD | Action.UPDATE_NODE_LABEL, pods.affinity_by_nodes),
    ),
    "DefaultPreemption": (_on(POD, DELETE, _never),),
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
        return (*registered, IMPLICIT)
    return registered


def is_implicit(plugin: str, label: str) -> bool:
    """Whether a plugin's pods come back at an event that it never asked for: any change of a node's taints."""
    return label == IMPLICIT.event.label and registrations(plugin)[-1] is IMPLICIT


def events_of(plugin: str) -> list[str]:
    """All that a plugin hears of, as `Node/Add`, each once."""
    return list(dict.fromkeys(name for one in registrations(plugin) for name in spelled(one.event)))
