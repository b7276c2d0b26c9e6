"""A smaller request: which container is to ask for how much, so that the pod asks for no more than there is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from scheduler.engine.fixes.change import Path, Put
from scheduler.engine.fixes.manifests import put
from scheduler.engine.objects import Container, Pod, ResourceRequirements
from scheduler.engine.values import quantity
from scheduler.engine.values.quantity import format_amount
from scheduler.engine.values.requests import CPU, EPHEMERAL_STORAGE, MEMORY, is_pod_level_resource, pod_requests

_MEBI = 2**20


class _TooLittle(Exception):  # noqa: N818 - no error: an answer
    """A container would be left with nothing."""


def lowered(pod: Pod, targets: Mapping[str, int]) -> tuple[tuple[Put, ...], dict[str, int]] | None:
    """Changes after which the pod asks for at most `targets`, and what it asks for then; None where it cannot be.

    Amounts are in scheduler units. The largest container is cut first; one that asks for some keeps some.
    """
    try:
        puts = tuple(one for resource, target in targets.items() for one in _lowered(pod, resource, target))
    except _TooLittle:
        return None
    asks = pod_requests(msgspec.convert(put(msgspec.to_builtins(pod), puts), Pod))
    if any(asks.get(resource, 0) > target for resource, target in targets.items()):
        return None
    return puts, {resource: asks.get(resource, 0) for resource in targets}


def _lowered(pod: Pod, resource: str, target: int) -> list[Put]:
    spec = pod.spec
    budget = target - amount_of((spec.overhead or {}).get(resource), resource)
    if spec.resources is not None and is_pod_level_resource(resource) and resource in (spec.resources.requests or {}):
        return _put(("spec", "resources"), spec.resources, resource, budget)
    return [*_running(pod, resource, budget), *_starting(pod, resource, budget)]


def _running(pod: Pod, resource: str, budget: int) -> list[Put]:
    """Containers and sidecars together: the largest gives first."""
    groups = (("containers", pod.spec.containers), ("initContainers", pod.spec.init_containers))
    runs = [
        (_asked(one, resource), ("spec", group, place), one)
        for group, some in groups
        for place, one in enumerate(some or ())
        if group == "containers" or one.restart_policy == "Always"
    ]
    over, puts = sum(asked for asked, _, _ in runs) - budget, list[Put]()
    for asked, path, one in sorted(runs, key=lambda run: -run[0]):
        if over > 0 and asked > 0:
            kept = _rounded(max(asked - over, 1), resource)
            over -= asked - kept
            puts += _put((*path, "resources"), one.resources, resource, kept)
    if over > 0:
        raise _TooLittle
    return puts


def _starting(pod: Pod, resource: str, budget: int) -> list[Put]:
    """Init containers, each beside the sidecars that were started before it."""
    sidecars, puts = 0, list[Put]()
    for place, one in enumerate(pod.spec.init_containers or ()):
        asked = _asked(one, resource)
        if one.restart_policy == "Always":
            sidecars += asked
        elif asked + sidecars > budget:
            kept = _rounded(budget - sidecars, resource)
            puts += _put(("spec", "initContainers", place, "resources"), one.resources, resource, kept)
    return puts


def _put(path: Path, stated: ResourceRequirements | None, resource: str, amount: int) -> list[Put]:
    """An extended resource is limited to what is asked for; a limit of another one may stay above its request."""
    if amount < 1:
        raise _TooLittle
    text = format_amount(resource, amount)
    puts = [Put((*path, "requests", resource), text)]
    may_differ = resource in (CPU, MEMORY, EPHEMERAL_STORAGE)
    if not may_differ and stated is not None and resource in (stated.limits or {}):
        puts.append(Put((*path, "limits", resource), text))
    return puts


def _asked(one: Container, resource: str) -> int:
    requests: Mapping[str, Any] = (one.resources.requests if one.resources is not None else None) or {}
    return amount_of(requests.get(resource), resource)


def amount_of(asked: Any, resource: str) -> int:
    if asked is None:
        return 0
    return quantity.milli_value(asked) if resource == CPU else quantity.value(asked)


def _rounded(amount: int, resource: str) -> int:
    """Bytes in whole Mi, where there is more than one."""
    is_bytes = resource in (MEMORY, EPHEMERAL_STORAGE)
    return amount // _MEBI * _MEBI if is_bytes and amount >= _MEBI else amount
