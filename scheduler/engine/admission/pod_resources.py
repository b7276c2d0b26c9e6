"""Defaults of a pod manifest's resources: rounding to milli, requests from limits, requests of the pod as a whole.

Works on plain manifests without nulls and changes them in place. Source: pkg/apis/core/v1/defaults.go v1.34.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from scheduler.engine.objects import ResourceList
from scheduler.engine.values import quantity
from scheduler.engine.values.requests import CPU, MEMORY, aggregate_requests, is_pod_level_resource

Manifest: TypeAlias = dict[str, Any]

_OVERCOMMITTABLE = (CPU, MEMORY)


def set_defaults(pod: Manifest) -> None:
    """All of them, in the API server's order."""
    spec = pod["spec"]
    for resources in _resource_lists(pod):
        round_up(resources)
    for container in (*spec.get("containers", ()), *spec.get("initContainers", ())):
        _requests_from_limits(container)
    if spec.get("resources"):
        _default_pod_level(spec)


def round_up(resources: ResourceList | None) -> None:
    """Round each amount up to milli."""
    for name, amount in (resources or {}).items():
        resources[name] = quantity.round_up_to_milli(amount)  # type: ignore[index]


def _resource_lists(pod: Manifest) -> Iterator[ResourceList | None]:
    spec, status = pod["spec"], pod.get("status", {})
    statuses = (*status.get("containerStatuses", ()), *status.get("initContainerStatuses", ()))
    for owner in (spec, *spec.get("containers", ()), *spec.get("initContainers", ()), *statuses):
        resources = owner.get("resources", {})
        yield from (resources.get("requests"), resources.get("limits"))
    yield spec.get("overhead")
    yield from (one.get("allocatedResources") for one in statuses)


def _requests_from_limits(container: Manifest) -> None:
    resources = container.get("resources", {})
    if limits := resources.get("limits"):
        resources["requests"] = {**limits, **resources.get("requests", {})}


def _default_pod_level(spec: Manifest) -> None:
    resources = spec["resources"]
    _default_hugepage_limits(spec, resources)
    if not (limits := resources.get("limits")):
        return
    aggregate = _aggregate(spec, "requests")
    defaults = {
        name: aggregate[name] if name in _OVERCOMMITTABLE and name in aggregate else limits[name]
        for name in (*(one for one in _OVERCOMMITTABLE if one in aggregate), *limits)
        if is_pod_level_resource(name)
    }
    if requests := {**defaults, **resources.get("requests", {})}:
        resources["requests"] = requests


def _default_hugepage_limits(spec: Manifest, resources: Manifest) -> None:
    if not resources.get("limits") and not resources.get("requests"):
        return
    stated = {**resources.get("requests", {}), **resources.get("limits", {})}
    missing = {
        name: amount
        for name, amount in _aggregate(spec, "limits").items()
        if name.startswith("hugepages-") and name not in stated
    }
    if missing:
        resources["limits"] = {**resources.get("limits", {}), **missing}


def _aggregate(spec: Manifest, field: str) -> ResourceList:
    return aggregate_requests(
        (one.get("resources", {}).get(field, {}) for one in spec.get("containers", ())),
        (
            (one.get("restartPolicy") == "Always", one.get("resources", {}).get(field, {}))
            for one in spec.get("initContainers", ())
        ),
    )
