"""What a pod asks of a node: resources in scheduler units and host ports.

Scheduler units: cpu in millicores, everything else in whole units (bytes, devices), all rounded up.
Source: component-helpers resource/helpers.go, kube-scheduler framework/types.go, v1.34.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from scheduler.engine.objects import Container, ContainerStatus, Node, Pod, Quantity, ResourceList
from scheduler.engine.values import quantity, syntax

CPU, MEMORY, EPHEMERAL_STORAGE, PODS = "cpu", "memory", "ephemeral-storage", "pods"
NONZERO_DEFAULTS: Mapping[str, Quantity] = {CPU: "100m", MEMORY: "200Mi"}
"""What a container without a request is taken to ask for, so that empty pods spread as well."""

_Items: TypeAlias = tuple[tuple[str, Quantity], ...]


# --- names ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def is_extended_resource(name: str) -> bool:
    """A resource of somebody else than Kubernetes, such as `nvidia.com/gpu`."""
    if "/" not in name or "kubernetes.io/" in name or name.startswith("requests."):
        return False
    return not syntax.qualified_name(f"requests.{name}")


@lru_cache(maxsize=4096)
def is_scalar_resource(name: str) -> bool:
    """A resource besides cpu, memory, ephemeral-storage and pods that nodes and pods are counted by."""
    is_native = name.startswith(("hugepages-", "attachable-volumes-")) or "kubernetes.io/" in name
    return is_native or is_extended_resource(name)


def is_pod_level_resource(name: str) -> bool:
    """A resource that `spec.resources` of a pod may state for the pod as a whole."""
    return name in (CPU, MEMORY) or name.startswith("hugepages-")


# --- arithmetic of resource lists -------------------------------------------------------------------------------------


def add_requests(*lists: Mapping[str, Quantity]) -> ResourceList:
    """The sum per resource, exact."""
    total: ResourceList = {}
    for one in lists:
        for name, amount in one.items():
            total[name] = quantity.add(total[name], amount) if name in total else amount
    return total


def max_requests(*lists: Mapping[str, Quantity]) -> ResourceList:
    """The greatest per resource, exact."""
    most: ResourceList = {}
    for one in lists:
        for name, amount in one.items():
            if name not in most or quantity.compare(amount, most[name]) > 0:
                most[name] = amount
    return most


def aggregate_requests(
    containers: Iterable[Mapping[str, Quantity]], init_containers: Iterable[tuple[bool, Mapping[str, Quantity]]]
) -> ResourceList:
    """What the containers need together at the worst moment. Init containers are `(is_sidecar, requests)` in order."""
    running, sidecars, peak = add_requests(*containers), ResourceList(), ResourceList()
    for is_sidecar, own in init_containers:
        if is_sidecar:
            running, sidecars = add_requests(running, own), add_requests(sidecars, own)
            peak = max_requests(peak, sidecars)
        else:
            peak = max_requests(peak, add_requests(own, sidecars))
    return max_requests(running, peak)


def scheduler_units(resources: Mapping[str, Quantity]) -> dict[str, int]:
    """Only what is counted: cpu (milli), memory, ephemeral-storage, pods and scalar resources."""
    counted = {}
    for name, amount in resources.items():
        if name == CPU:
            counted[name] = quantity.milli_value(amount)
        elif name in (MEMORY, EPHEMERAL_STORAGE, PODS) or is_scalar_resource(name):
            counted[name] = quantity.value(amount)
    return counted


# --- pods and nodes ---------------------------------------------------------------------------------------------------


class _Shape(NamedTuple):
    """All of a pod that its requests depend on, hashable: pods of one shape are computed once."""

    containers: tuple[_Items, ...]
    init_containers: tuple[tuple[bool, _Items], ...]
    pod_level: _Items
    overhead: _Items


def pod_requests(
    pod: Pod, *, status_resources: bool = False, pod_level: bool = True, nonzero: bool = False
) -> Mapping[str, int]:
    """The pod's requests in scheduler units. The result is shared between pods: read it only.

    `status_resources`: running containers count with what they hold now (in-place resize). `pod_level`: honour
    `spec.resources`. `nonzero`: take 100m cpu and 200Mi memory for each container that does not state them; together
    with pod-level requests only for what the pod lacks altogether. Which caller uses what:

        NodeResourcesFit filter                             (no option)
        NodeResourcesFit score, incoming pod                pod_level=False, nonzero=True
        NodeResourcesBalancedAllocation, incoming pod       (no option)
        sums of a node, plain / non-zero                    status_resources=True / and nonzero=True
    """
    return _requests(_shape(pod, status_resources, pod_level), nonzero)


def _shape(pod: Pod, status_resources: bool, pod_level: bool) -> _Shape:
    spec = pod.spec
    resizing = _Resizing(pod) if status_resources and pod.status is not None else None
    return _Shape(
        tuple(_container_items(one, resizing) for one in spec.containers or ()),
        tuple(_init_container_items(one, resizing) for one in spec.init_containers or ()),
        _items(spec.resources.requests) if pod_level and spec.resources is not None else (),
        _items(spec.overhead),
    )


def _items(resources: ResourceList | None) -> _Items:
    return tuple(resources.items()) if resources else ()


def _container_items(container: Container, resizing: _Resizing | None) -> _Items:
    requests = container.resources.requests if container.resources is not None else None
    return _items(resizing.requests(container.name, requests) if resizing is not None else requests)


def _init_container_items(container: Container, resizing: _Resizing | None) -> tuple[bool, _Items]:
    is_sidecar = container.restart_policy == "Always"
    return is_sidecar, _container_items(container, resizing if is_sidecar else None)


class _Resizing:
    """What running containers hold now, by name, while a resize in place is under way."""

    def __init__(self, pod: Pod) -> None:
        status = pod.status
        assert status is not None
        found = (status.container_statuses or []) + (status.init_container_statuses or [])
        self.statuses: dict[str, ContainerStatus] = {one.name: one for one in found}
        pending = (condition for condition in status.conditions or () if condition.type == "PodResizePending")
        first = next(pending, None)
        self.is_infeasible = first is not None and first.reason == "Infeasible"

    def requests(self, name: str, stated: ResourceList | None) -> ResourceList | None:
        status = self.statuses.get(name)
        if status is None or status.resources is None:
            return stated
        held = max_requests(status.resources.requests or {}, status.allocated_resources or {})
        return held if self.is_infeasible else max_requests(stated or {}, held)


@lru_cache(maxsize=16384)
def _requests(shape: _Shape, nonzero: bool) -> Mapping[str, int]:
    requests = scheduler_units(_total(shape, {}))
    if not nonzero:
        return requests
    states_pod_level = any(is_pod_level_resource(name) for name, _ in shape.pod_level)
    missing = {
        name: amount for name, amount in NONZERO_DEFAULTS.items() if not states_pod_level or name not in requests
    }
    return scheduler_units(_total(shape, missing)) if missing else requests


def _total(shape: _Shape, missing: Mapping[str, Quantity]) -> ResourceList:
    total = aggregate_requests(
        ({**missing, **dict(items)} for items in shape.containers),
        ((is_sidecar, {**missing, **dict(items)}) for is_sidecar, items in shape.init_containers),
    )
    total.update((name, amount) for name, amount in shape.pod_level if is_pod_level_resource(name))
    return add_requests(total, dict(shape.overhead))


def node_allocatable(node: Node) -> Mapping[str, int]:
    """What a node offers, in scheduler units. The result is shared between nodes: read it only."""
    return _allocatable(_items(node.allocatable))


@lru_cache(maxsize=4096)
def _allocatable(items: _Items) -> Mapping[str, int]:
    return scheduler_units(dict(items))


def host_ports(pod: Pod) -> tuple[tuple[str, str, int], ...]:
    """`(ip, protocol, port)` of every port that the pod binds on its node; sidecars first, then containers."""
    sidecars = (one for one in pod.spec.init_containers or () if one.restart_policy == "Always")
    return tuple(
        (port.host_ip or "0.0.0.0", port.protocol or "TCP", port.host_port)
        for container in (*sidecars, *(pod.spec.containers or ()))
        for port in container.ports or ()
        if port.host_port is not None and port.host_port > 0
    )


def pod_request_list(pod: Pod) -> ResourceList:
    """The pod's requests as exact quantities of every resource, with what running containers hold now."""
    return _total(_shape(pod, True, True), {})
