"""Which cluster events an update of a pod or node stands for. Source: v1.34.1, framework/events.go."""

from __future__ import annotations

from collections.abc import Mapping

from scheduler.engine.hints.event import (
    ASSIGNED_POD,
    NODE,
    UNSCHEDULABLE_POD,
    Action,
    ClusterEvent,
    event_of,
)
from scheduler.engine.objects import Node, Pod, Quantity
from scheduler.engine.values import quantity
from scheduler.engine.values.requests import pod_request_list


def pod_changes(old: Pod, new: Pod) -> list[ClusterEvent]:
    """What changed for scheduling, in kube-scheduler's order; the generic Update where nothing did."""
    resource = ASSIGNED_POD if new.node_name else UNSCHEDULABLE_POD
    actions = (
        (Action.UPDATE_POD_LABEL, old.labels != new.labels),
        (Action.UPDATE_POD_SCALE_DOWN, _scaled_down(old, new)),
        (
            Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED,
            bool(old.spec.scheduling_gates) > bool(new.spec.scheduling_gates),
        ),
        (Action.UPDATE_POD_TOLERATION, len(old.spec.tolerations or ()) != len(new.spec.tolerations or ())),
        (Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM, _claims(old) != _claims(new)),
    )
    return [event_of(resource, action) for action, changed in actions if changed] or [event_of(resource, Action.UPDATE)]


def node_changes(old: Node, new: Node) -> list[ClusterEvent]:
    """What changed for scheduling, in kube-scheduler's order; nothing for any other change."""
    actions = (
        (Action.UPDATE_NODE_TAINT, bool(old.spec.unschedulable) and not new.spec.unschedulable),
        (Action.UPDATE_NODE_ALLOCATABLE, not _equal_quantities(old.allocatable, new.allocatable)),
        (Action.UPDATE_NODE_LABEL, old.labels != new.labels),
        (Action.UPDATE_NODE_TAINT, old.taints != new.taints),
        (Action.UPDATE_NODE_CONDITION, _conditions(old) != _conditions(new)),
        (Action.UPDATE_NODE_ANNOTATION, old.annotations != new.annotations),
    )
    return [event_of(NODE, action) for action, changed in actions if changed]


def _scaled_down(old: Pod, new: Pod) -> bool:
    """Some request became smaller or went away."""
    if old.spec is new.spec and old.status is new.status:
        return False
    now = pod_request_list(new)
    return any(
        name not in now or quantity.milli_value(now[name]) < quantity.milli_value(amount)
        for name, amount in pod_request_list(old).items()
    )


def _claims(pod: Pod) -> tuple[object, object]:
    status = pod.status
    if status is None:
        return (), {}
    return status.resource_claim_statuses or (), status.extended_resource_claim_status or {}


def _equal_quantities(old: Mapping[str, Quantity], new: Mapping[str, Quantity]) -> bool:
    return old.keys() == new.keys() and all(
        amount == new[name] or quantity.compare(amount, new[name]) == 0 for name, amount in old.items()
    )


def _conditions(node: Node) -> dict[str, str]:
    return {one.type: one.status for one in (node.status.conditions if node.status else None) or ()}
