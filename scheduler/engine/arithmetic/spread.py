"""Topology spread constraints as the scheduler compiles them, the cluster-wide defaults included.

Source: kube-scheduler v1.34.1 plugins/podtopologyspread/common.go, plugins/helper/spread.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from scheduler.engine.cluster.pod_info import PodInfo, PodShape
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.labels import EVERYTHING, Selector, label_selector, map_selector
from scheduler.engine.labels.selector import EQUALS, Requirement
from scheduler.engine.objects import (
    ObjectMeta,
    Pod,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
    TopologySpreadConstraint,
)

HOSTNAME, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
HARD, SOFT = "DoNotSchedule", "ScheduleAnyway"
SYSTEM_DEFAULTS = (
    TopologySpreadConstraint(max_skew=3, topology_key=HOSTNAME, when_unsatisfiable=SOFT),
    TopologySpreadConstraint(max_skew=5, topology_key=ZONE, when_unsatisfiable=SOFT),
)


class Constraint(NamedTuple):
    """One rule. `selector` already holds the pod's own values of matchLabelKeys."""

    max_skew: int
    key: str
    selector: Selector
    min_domains: int
    honors_affinity: bool
    honors_taints: bool

    def counts(self, namespace: str, pod: PodInfo) -> int:
        """Whether a pod on a node is counted at first: an empty selector counts none."""
        counted = pod.namespace == namespace and not pod.pod.is_terminating and not self.selector.is_empty
        return int(counted and self.selector.matches(pod.labels))


def constraints_of(pod: Pod, action: str) -> list[Constraint]:
    """The pod's own constraints of one kind. Raises Invalid for a selector that cannot be read."""
    return _compiled(pod.spec.topology_spread_constraints or (), pod, action, None)


def own_constraints(pod: PodInfo, action: str) -> Sequence[Constraint]:
    """`constraints_of`, found out once for all pods of one shape. Raises Invalid."""
    constraints = pod.shape.pod.spec.topology_spread_constraints or ()
    by_labels = any(one.match_label_keys for one in constraints)
    return _of_shape(pod.shape, pod.kind.labels if by_labels else (), action)


@lru_cache(maxsize=16384)
def _of_shape(shape: PodShape, labels: tuple[tuple[str, str], ...], action: str) -> tuple[Constraint, ...]:
    pod = Pod(metadata=ObjectMeta(labels=dict(labels)), spec=shape.pod.spec)
    return tuple(constraints_of(pod, action))


def default_constraints(
    snapshot: Snapshot, pod: Pod, defaults: Sequence[TopologySpreadConstraint], action: str
) -> list[Constraint]:
    """Constraints for a pod without any, if Services or its controller say which pods belong together."""
    if not any(one.when_unsatisfiable == action for one in defaults):
        return []
    if not snapshot.kind("Service") and not pod.metadata.owner_references:
        return []
    selector = default_selector(snapshot, pod)
    return [] if selector.is_empty else _compiled(defaults, pod, action, selector)


def _compiled(
    constraints: Iterable[TopologySpreadConstraint], pod: Pod, action: str, selector: Selector | None
) -> list[Constraint]:
    return [
        Constraint(
            one.max_skew,
            one.topology_key,
            _with_own_values(one, pod) if selector is None else selector,
            one.min_domains if one.min_domains is not None else 1,
            one.node_affinity_policy in (None, "Honor"),
            one.node_taints_policy == "Honor",
        )
        for one in constraints
        if one.when_unsatisfiable == action
    ]


def _with_own_values(one: TopologySpreadConstraint, pod: Pod) -> Selector:
    labels = pod.labels
    own = [Requirement(key, EQUALS, (labels[key],)) for key in one.match_label_keys or () if key in labels]
    return label_selector(one.label_selector).adding(*own)


def default_selector(snapshot: Snapshot, pod: Pod) -> Selector:
    """Which pods belong together: all Services that select the pod, and its controller."""
    merged: dict[str, str] = {}
    for service in snapshot.kind("Service").values():
        wanted = service.spec.selector if isinstance(service, Service) else None
        in_namespace = (service.namespace or "default") == (pod.namespace or "default")
        if wanted is not None and in_namespace and map_selector(wanted).matches(pod.labels):
            merged |= wanted
    owner = _controller(snapshot, pod.metadata)
    if isinstance(owner, ReplicationController):
        merged |= owner.spec.selector or {}
    selector = map_selector(merged) if merged else EVERYTHING
    if isinstance(owner, ReplicaSet | StatefulSet):
        selector = selector.adding(*label_selector(owner.spec.selector).requirements)
    return selector


def _controller(snapshot: Snapshot, metadata: ObjectMeta) -> object | None:
    """The controlling owner, if it is of a kind that is looked at and is there."""
    groups = {"ReplicationController": "v1", "ReplicaSet": "apps/v1", "StatefulSet": "apps/v1"}
    for owner in metadata.owner_references or ():
        if owner.controller:
            if groups.get(owner.kind) != owner.api_version:
                return None
            return snapshot.kind(owner.kind).get(f"{metadata.namespace or 'default'}/{owner.name}")
    return None
