"""A pod as algorithms meet it: the object and its shape, which is compiled once for all pods of one template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import msgspec

from scheduler.engine.labels import RequiredNodeAffinity
from scheduler.engine.objects import (
    Affinity,
    Container,
    Pod,
    PodSpec,
    ResourceList,
    ResourceRequirements,
    Toleration,
    TopologySpreadConstraint,
    Volume,
)
from scheduler.engine.values.requests import PODS, host_ports, pod_requests

HostPort: TypeAlias = tuple[str, str, int]
Amounts: TypeAlias = tuple[tuple[str, int], ...]
"""Resources in scheduler units (milli for cpu), in a fixed order; `pods` is never among them."""


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """What selectors and affinity terms can tell pods apart by. One object for all pods of a kind.

    `labels`: sorted by key.
    """

    namespace: str
    labels: tuple[tuple[str, str], ...]
    shape: PodShape
    is_terminating: bool


_kind = lru_cache(maxsize=65536)(Kind)


class _Template(msgspec.Struct, frozen=True, omit_defaults=True):
    """The part of a spec that decides how a pod fits and scores on a node by itself."""

    containers: list[Container] | None = None
    init_containers: list[Container] | None = None
    node_selector: dict[str, str] | None = None
    affinity: Affinity | None = None
    tolerations: list[Toleration] | None = None
    topology_spread_constraints: list[TopologySpreadConstraint] | None = None
    overhead: ResourceList | None = None
    resources: ResourceRequirements | None = None


_encode = msgspec.json.Encoder().encode
_replace = msgspec.structs.replace
_KEPT_SHAPES = 16384


class PodShape:
    """What pods of one template have in common. `key` identifies it; everything else is derived from it when asked."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        template = msgspec.json.decode(key, type=_Template)
        self.parts: dict[str, Any] = {name: getattr(template, name) for name in _Template.__struct_fields__}
        self.pod = Pod(spec=PodSpec(**self.parts))
        self.is_exact = _encode(template) == key

    def __reduce__(self) -> tuple[Any, ...]:
        return shape_of_key, (self.key,)

    @cached_property
    def requests(self) -> dict[str, int]:
        """What the pod asks for, without defaults: what Filter compares."""
        return dict(_amounts(pod_requests(self.pod)))

    @cached_property
    def scoring_requests(self) -> dict[str, int]:
        """What NodeResourcesFit scores with: 100m and 200Mi where a container states none, pod-level ones ignored."""
        return dict(_amounts(pod_requests(self.pod, pod_level=False, nonzero=True)))

    @cached_property
    def placed(self) -> Placed:
        """What a pod without status adds to its node."""
        return Placed(self.pod)

    @cached_property
    def ports(self) -> tuple[HostPort, ...]:
        return host_ports(self.pod)

    @cached_property
    def required_node_affinity(self) -> RequiredNodeAffinity:
        return RequiredNodeAffinity.of(self.pod)

    @cached_property
    def has_pod_affinity(self) -> bool:
        """Whether the pod has any affinity or anti-affinity to pods."""
        affinity = self.pod.spec.affinity
        return affinity is not None and not (affinity.pod_affinity is None and affinity.pod_anti_affinity is None)

    @cached_property
    def tolerations_key(self) -> bytes:
        return _encode(self.pod.spec.tolerations)


@lru_cache(maxsize=_KEPT_SHAPES)
def shape_of_key(key: bytes) -> PodShape:
    shape = PodShape(key)
    if len(_of_parts) >= _KEPT_SHAPES:
        _of_parts.clear()
    _of_parts[_identity(shape.pod.spec)] = shape
    return shape


_of_parts: dict[tuple[int, ...], PodShape] = {}
"""Shapes by the very objects that make them up. What a shape holds lives as long as it does, so no id is used twice."""


def _identity(spec: PodSpec) -> tuple[int, ...]:
    return (
        id(spec.containers),
        id(spec.init_containers),
        id(spec.node_selector),
        id(spec.affinity),
        id(spec.tolerations),
        id(spec.topology_spread_constraints),
        id(spec.overhead),
        id(spec.resources),
    )


def _shape_of(spec: PodSpec) -> PodShape:
    known = _of_parts.get(_identity(spec))
    return known if known is not None else shape_of_key(_encode(_Template(**_parts(spec))))


def _parts(spec: PodSpec) -> dict[str, Any]:
    return {name: getattr(spec, name) for name in _Template.__struct_fields__}


def sharing(pod: Pod) -> Pod:
    """The same pod with its template's own objects in place of equal ones: thousands of replicas hold them once."""
    if _identity(pod.spec) in _of_parts:
        return pod
    shape = _shape_of(pod.spec)
    return _replace(pod, spec=_replace(pod.spec, **shape.parts)) if shape.is_exact else pod


def _amounts(requests: Any) -> Amounts:
    return tuple((name, amount) for name, amount in requests.items() if name != PODS)


class Placed:
    """What a pod adds to its node: requested, non-zero requested, and both as amounts by column."""

    __slots__ = ("by_column", "nonzero", "requested")

    def __init__(self, pod: Pod) -> None:
        nonzero = pod_requests(pod, status_resources=True, nonzero=True)
        self.requested = _amounts(pod_requests(pod, status_resources=True))
        self.nonzero: Amounts = tuple((name, nonzero.get(name, 0)) for name in ("cpu", "memory"))
        self.by_column: tuple[tuple[tuple[str, str], int], ...] = (
            *((("requested", name), amount) for name, amount in (*self.requested, (PODS, 1))),
            *((("nonzero", name), amount) for name, amount in self.nonzero),
        )


class PodInfo:
    """`placed`: what the pod adds to the sums of its node. Equal pods may be told apart by `key`.

    `has_volumes`: whether any volume is of a kind that scheduling looks at.
    """

    __slots__ = ("has_volumes", "key", "kind", "placed", "pod", "priority", "shape")

    def __init__(self, pod: Pod) -> None:
        spec = pod.spec
        self.pod = pod
        self.key = pod.key
        self.shape = _shape_of(spec)
        has_status = pod.status is not None and (pod.status.container_statuses or pod.status.init_container_statuses)
        self.placed = Placed(pod) if has_status else self.shape.placed
        self.priority = spec.priority or 0
        self.has_volumes = any(one != Volume(one.name) for one in spec.volumes or ())
        self.kind = _kind(self.namespace, tuple(sorted(pod.labels.items())), self.shape, pod.is_terminating)

    def __reduce__(self) -> tuple[Any, ...]:
        return PodInfo, (self.pod,)

    def __repr__(self) -> str:
        return f"<PodInfo {self.key}>"

    @property
    def uid(self) -> str:
        return self.pod.uid or self.key

    @property
    def namespace(self) -> str:
        return self.pod.namespace or "default"

    @property
    def labels(self) -> dict[str, str]:
        return self.pod.labels

    @property
    def requests(self) -> Mapping[str, int]:
        """What Filter compares: by resource, in millicores, bytes or units; what is not asked for is missing or 0."""
        return self.shape.requests

    @property
    def requested(self) -> Amounts:
        return self.placed.requested

    @property
    def nonzero(self) -> Amounts:
        return self.placed.nonzero

    @property
    def node_name(self) -> str:
        return self.pod.node_name

    @property
    def ports(self) -> tuple[HostPort, ...]:
        return self.shape.ports
