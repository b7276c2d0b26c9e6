"""Quantities of resources: of containers, pods, nodes and volumes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import Container, PodSpec, Quantity, ResourceList, ResourceRequirements
from scheduler.engine.validation.rules import fault, required
from scheduler.engine.values import quantity, syntax
from scheduler.engine.values.requests import (
    CPU,
    EPHEMERAL_STORAGE,
    MEMORY,
    aggregate_requests,
    is_extended_resource,
    is_pod_level_resource,
)

_Rule = Callable[[str, str], Iterator[Invalid]]
_POD_LEVEL = (CPU, MEMORY)


def resource_list(path: str, resources: ResourceList | None, name_rule: _Rule) -> Iterator[Invalid]:
    """Every name by `name_rule(path, name)`, every amount a quantity that is not negative."""
    for name, amount in (resources or {}).items():
        yield from name_rule(path, name)
        yield from _amount(f"{path}[{name}]", name, amount)


def _amount(path: str, name: str, amount: Quantity) -> Iterator[Invalid]:
    try:
        exact = quantity.parse(amount)
    except Invalid as error:
        yield fault(path, amount, error.message)
        return
    if exact < 0:
        yield fault(path, quantity.string_form(amount), "must be greater than or equal to 0")
    elif exact * (1000 if name == CPU else 1) > quantity.MAX_INT64:
        yield fault(path, quantity.string_form(amount), "is too large to count with")
    elif is_extended_resource(name) and exact.denominator != 1:
        yield fault(path, quantity.string_form(amount), "must be an integer")


def any_name(path: str, name: str) -> Iterator[Invalid]:
    if complaints := syntax.qualified_name(name):
        yield fault(path, name, "; ".join(complaints))


def container_name(path: str, name: str) -> Iterator[Invalid]:
    yield from any_name(path, name)
    is_standard = name in (CPU, MEMORY, EPHEMERAL_STORAGE) or name.startswith("hugepages-")
    if "/" not in name and not is_standard:
        yield fault(path, name, "must be a standard resource for containers")
    elif "/" in name and "kubernetes.io/" not in name and not is_extended_resource(name):
        yield fault(path, name, "doesn't follow extended resource name standard")


def _pod_name(path: str, name: str) -> Iterator[Invalid]:
    if not is_pod_level_resource(name):
        yield Invalid(syntax.unsupported(name, _POD_LEVEL), path)


def container(path: str, resources: ResourceRequirements | None) -> Iterator[Invalid]:
    if resources is not None:
        yield from _requirements(path, resources, container_name)


def pod_level(path: str, spec: PodSpec) -> Iterator[Invalid]:
    """`spec.resources`: its requests must cover all containers together."""
    if spec.resources is None:
        return
    faults = list(_requirements(path, spec.resources, _pod_name))
    yield from faults or _against_containers(path, spec, spec.resources)


def _against_containers(path: str, spec: PodSpec, stated: ResourceRequirements) -> Iterator[Invalid]:
    try:
        together = aggregate_requests(
            (_requests(one) for one in spec.containers or ()),
            ((one.restart_policy == "Always", _requests(one)) for one in spec.init_containers or ()),
        )
    except Invalid:
        return  # a container's own fault, told elsewhere
    for name, amount in (stated.requests or {}).items():
        if name in together and quantity.compare(amount, together[name]) < 0:
            complaint = "must be greater than or equal to aggregate container requests of"
            shown = quantity.string_form(together[name])
            yield fault(f"{path}.requests[{name}]", quantity.string_form(amount), f"{complaint} {shown}")


def _requests(one: Container) -> ResourceList:
    return (one.resources.requests if one.resources is not None else None) or {}


def _requirements(path: str, resources: ResourceRequirements, name_rule: _Rule) -> Iterator[Invalid]:
    faults = [
        *resource_list(f"{path}.limits", resources.limits, name_rule),
        *resource_list(f"{path}.requests", resources.requests, name_rule),
    ]
    yield from faults or _requests_against_limits(path, resources)


def _requests_against_limits(path: str, resources: ResourceRequirements) -> Iterator[Invalid]:
    limits = resources.limits or {}
    for name, amount in (resources.requests or {}).items():
        limit, shown = limits.get(name), quantity.string_form(amount)
        is_fixed = is_extended_resource(name) or name.startswith("hugepages-")
        if limit is None:
            if is_fixed:
                yield required(f"{path}.limits", "Limit must be set for non overcommitable resources")
        elif is_fixed and quantity.compare(amount, limit):
            complaint = f"must be equal to {name} limit of {quantity.string_form(limit)}"
            yield fault(f"{path}.requests", shown, complaint)
        elif quantity.compare(amount, limit) > 0:
            complaint = f"must be less than or equal to {name} limit of {quantity.string_form(limit)}"
            yield fault(f"{path}.requests", shown, complaint)
