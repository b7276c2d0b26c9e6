"""What LimitRanges and a RuntimeClass add to a pod that has not been in a cluster yet.

Works on plain manifests without nulls and changes them in place. Source: v1.34.1 plugin/pkg/admission/{limitranger,
runtimeclass}, pkg/apis/core/v1/defaults.go. Limits are not enforced: what a LimitRange forbids is not refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import LimitRange, LimitRangeItem, ResourceList, RuntimeClass, Toleration
from scheduler.engine.values import quantity

Manifest: TypeAlias = dict[str, Any]


def is_new(pod: Manifest) -> bool:
    """One that was in a cluster has a creation time, and got from admission there whatever there was to get."""
    return not pod["metadata"].get("creationTimestamp") and not pod["spec"].get("nodeName")


def add_limits(spec: Manifest, ranges: Iterable[LimitRange]) -> None:
    """Containers that state no limit or request of a resource get the default of the first range that has one."""
    for one in sorted(ranges, key=lambda one: one.name):
        limits, requests = _container_defaults(one)
        for container in (*spec.get("containers", ()), *spec.get("initContainers", ())) if limits or requests else ():
            resources = container.setdefault("resources", {})
            for field, defaults in (("limits", limits), ("requests", requests)):
                if defaults:
                    resources[field] = {**defaults, **resources.get(field, {})}


def _container_defaults(one: LimitRange) -> tuple[ResourceList, ResourceList]:
    limits, requests = ResourceList(), ResourceList()
    for item in one.spec.limits or ():
        if item.type == "Container":
            limits |= _rounded(_limits(item))
            requests |= _rounded({**(item.min or {}), **_limits(item), **(item.default_request or {})})
    return limits, requests


def _limits(item: LimitRangeItem) -> ResourceList:
    """A maximum is the default limit where none is stated."""
    return {**(item.max or {}), **(item.default or {})}


def _rounded(resources: ResourceList) -> ResourceList:
    return {name: quantity.round_up_to_milli(amount) for name, amount in resources.items()}


def add_runtime_class(spec: Manifest, found: RuntimeClass) -> None:
    """Overhead, node selector and tolerations of the pod's class. Raises Invalid where their selectors contradict."""
    if found.overhead is not None and found.overhead.pod_fixed:
        spec.setdefault("overhead", _rounded(found.overhead.pod_fixed))
    if found.scheduling is None:
        return
    if selector := found.scheduling.node_selector:
        spec["nodeSelector"] = _joined(spec.get("nodeSelector", {}), selector)
    if tolerations := found.scheduling.tolerations:
        own = spec.get("tolerations", [])
        stated = msgspec.convert(own, list[Toleration])
        spec["tolerations"] = own + [msgspec.to_builtins(one) for one in tolerations if one not in stated]


def _joined(own: dict[str, str], selector: dict[str, str]) -> dict[str, str]:
    for key, value in selector.items():
        if own.get(key, value) != value:
            conflict = f"conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}"
            raise Invalid(f"{conflict}; pod.spec.nodeSelector[{key}] = {own[key]}", "spec.nodeSelector")
    return own | selector
