"""Pods: containers, ports, tolerations, gates; affinity and resources have modules of their own."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import Container, ContainerPort, Pod, PodSpec, Toleration
from scheduler.engine.validation import affinity, metadata, resources
from scheduler.engine.validation.nodes import EFFECTS
from scheduler.engine.validation.rules import (
    MAX_INT32,
    duplicate,
    fault,
    forbidden,
    in_range,
    one_of,
    required,
    spelled,
    unique,
)
from scheduler.engine.values import syntax

_PROTOCOLS = ("SCTP", "TCP", "UDP")
_MAX_PORT = 65535
_encode, _decode = msgspec.json.encode, msgspec.json.Decoder(PodSpec).decode
_PREEMPTION_POLICIES = ("Never", "PreemptLowerPriority")


_FREE = {"node_name": None, "volumes": None, "resource_claims": None}
"""Fields that differ from pod to pod of one template, and that no rule reads beside others."""


def pod(given: Pod) -> Iterator[Invalid]:
    """Pods of one template are looked through once."""
    spec = given.spec
    if spec.scheduling_gates or not _is_of_faultless_template(spec):
        yield from _spec(spec)
    elif spec.node_name:
        yield from spelled("spec.nodeName", spec.node_name, syntax.dns_subdomain)


def _is_of_faultless_template(spec: PodSpec) -> bool:
    try:
        return _is_faultless(_encode(msgspec.structs.replace(spec, **_FREE)))
    except UnicodeEncodeError:
        return False


@lru_cache(maxsize=4096)
def _is_faultless(template: bytes) -> bool:
    return next(_spec(_decode(template)), None) is None


def _spec(spec: PodSpec) -> Iterator[Invalid]:
    yield from _containers(spec)
    yield from resources.pod_level("spec.resources", spec)
    yield from resources.resource_list("spec.overhead", spec.overhead, resources.container_name)
    yield from metadata.labels("spec.nodeSelector", spec.node_selector)
    yield from affinity.affinity("spec.affinity", spec.affinity)
    yield from affinity.spread("spec.topologySpreadConstraints", spec.topology_spread_constraints or [])
    for number, one in enumerate(spec.tolerations or ()):
        yield from toleration(f"spec.tolerations[{number}]", one)
    yield from _gates(spec)
    yield from _names(spec)


def _containers(spec: PodSpec) -> Iterator[Invalid]:
    containers, init = spec.containers or [], spec.init_containers or []
    if not containers:
        yield required("spec.containers")
    names = [one.name for one in (*containers, *init)]
    for number, container in enumerate((*containers, *init)):
        is_init = number >= len(containers)
        path = f"spec.initContainers[{number - len(containers)}]" if is_init else f"spec.containers[{number}]"
        yield from _container(path, container, is_init)
        if container.name and container.name in names[:number]:
            yield duplicate(f"{path}.name", container.name)
        if spec.host_network:
            yield from _on_host_network(path, container)
    yield from _host_ports(containers)


def _container(path: str, container: Container, is_init: bool) -> Iterator[Invalid]:
    if not container.name:
        yield required(f"{path}.name")
    else:
        yield from spelled(f"{path}.name", container.name, syntax.dns_label)
    if is_init:
        yield from one_of(f"{path}.restartPolicy", container.restart_policy, ("Always",))
    elif container.restart_policy:
        yield forbidden(f"{path}.restartPolicy", "may not be set for non-init containers")
    for number, port in enumerate(container.ports or ()):
        yield from _port(f"{path}.ports[{number}]", port)
    yield from resources.container(f"{path}.resources", container.resources)


def _port(path: str, port: ContainerPort) -> Iterator[Invalid]:
    if not port.container_port:
        yield required(f"{path}.containerPort")
    else:
        yield from in_range(f"{path}.containerPort", port.container_port, 1, _MAX_PORT)
    if port.host_port:
        yield from in_range(f"{path}.hostPort", port.host_port, 1, _MAX_PORT)
    yield from one_of(f"{path}.protocol", port.protocol, _PROTOCOLS)
    if port.host_ip and not _is_ip(port.host_ip):
        yield fault(f"{path}.hostIP", port.host_ip, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")


def _on_host_network(path: str, container: Container) -> Iterator[Invalid]:
    for number, port in enumerate(container.ports or ()):
        if port.host_port and port.host_port != port.container_port:
            detail = "must match `hostPort` when `hostNetwork` is true"
            yield fault(f"{path}.ports[{number}].containerPort", port.container_port, detail)


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text


def _host_ports(containers: Sequence[Container]) -> Iterator[Invalid]:
    seen: set[str] = set()
    for number, container in enumerate(containers):
        for index, port in enumerate(container.ports or ()):
            shown = f"{port.protocol or 'TCP'}/{port.host_ip or ''}/{port.host_port}"
            if port.host_port and shown in seen:
                yield duplicate(f"spec.containers[{number}].ports[{index}].hostPort", shown)
            seen.add(shown)


def toleration(path: str, one: Toleration) -> Iterator[Invalid]:
    if one.key and (complaints := syntax.qualified_name(one.key)):
        yield fault(f"{path}.key", one.key, "; ".join(complaints))
    if not one.key and one.operator != "Exists":
        detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
        yield fault(f"{path}.operator", one.operator or "", detail)
    if one.toleration_seconds is not None and one.effect != "NoExecute":
        yield fault(f"{path}.effect", one.effect or "", "effect must be 'NoExecute' when `tolerationSeconds` is set")
    if one.operator == "Exists" and one.value:
        yield fault(f"{path}.operator", one.value, "value must be empty when `operator` is 'Exists'")
    elif one.operator in (None, "", "Equal"):
        yield from spelled(f"{path}.operator", one.value or "", syntax.label_value)
    yield from one_of(f"{path}.operator", one.operator, ("Equal", "Exists"))
    yield from one_of(f"{path}.effect", one.effect, EFFECTS)


def _gates(spec: PodSpec) -> Iterator[Invalid]:
    names = [gate.name for gate in spec.scheduling_gates or ()]
    for number, name in enumerate(names):
        if complaints := syntax.qualified_name(name):
            yield fault(f"spec.schedulingGates[{number}].name", name, "; ".join(complaints))
    yield from unique("spec.schedulingGates", names, ".name")
    if names and spec.node_name:
        yield forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")


def _names(spec: PodSpec) -> Iterator[Invalid]:
    """A scheduler may be called anything."""
    for field, value in (("nodeName", spec.node_name), ("priorityClassName", spec.priority_class_name)):
        if value:
            yield from spelled(f"spec.{field}", value, syntax.dns_subdomain)
    yield from one_of("spec.preemptionPolicy", spec.preemption_policy, _PREEMPTION_POLICIES)
    yield from one_of("spec.restartPolicy", spec.restart_policy, ("Always", "OnFailure", "Never"))
    yield from in_range("spec.priority", spec.priority, -MAX_INT32 - 1)
