"""How full a node would be with the pod on it: what both resource scorers reckon with.

Source: kube-scheduler v1.34.1 plugins/noderesources/resource_allocation.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from scheduler.engine.framework import Int64Array, Nodes
from scheduler.engine.values.requests import CPU, EPHEMERAL_STORAGE, MEMORY, is_scalar_resource

_BASIC = (CPU, MEMORY, EPHEMERAL_STORAGE)


class ResourceSpec(msgspec.Struct, frozen=True):
    """A resource to score and its weight; weight 0 means 1."""

    name: str
    weight: int = 1


DEFAULT_RESOURCES = (ResourceSpec(CPU), ResourceSpec(MEMORY))


class Allocation(NamedTuple):
    """One resource on every node of a range: int64 in scheduler units. Capacity 0 leaves the resource out there."""

    name: str
    weight: int
    requested: Int64Array
    capacity: Int64Array


def allocations(
    nodes: Nodes, resources: tuple[ResourceSpec, ...], requests: Mapping[str, int], *, nonzero: bool
) -> list[Allocation]:
    """Requested (with the pod) and allocatable, for every resource that counts for this pod.

    A scalar resource that the pod does not ask for is left out. `nonzero`: the sums of cpu and memory are those with
    defaults for containers without requests.
    """
    columns, found = nodes.columns, []
    for one in resources:
        amount = requests.get(one.name, 0)
        if one.name not in _BASIC and (not amount or not is_scalar_resource(one.name)):
            continue
        kind = "nonzero" if nonzero and one.name in (CPU, MEMORY) else "requested"
        requested = nodes.take(columns[(kind, one.name)]) + amount
        found.append(Allocation(one.name, one.weight or 1, requested, nodes.take(columns[("allocatable", one.name)])))
    return found
