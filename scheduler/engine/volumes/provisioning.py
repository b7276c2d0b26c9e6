"""New volumes for claims: which nodes a storage class can make one for, and where it has room.

Source: v1.34.1 plugins/volumebinding, checkVolumeProvisions and hasEnoughCapacity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np

from scheduler.engine import labels
from scheduler.engine.cluster.selection import requirements_match, selector_matches
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.errors import Invalid
from scheduler.engine.framework import BoolArray, Nodes
from scheduler.engine.objects import (
    CSIDriver,
    CSIStorageCapacity,
    PersistentVolumeClaim,
    StorageClass,
    TopologySelectorTerm,
)
from scheduler.engine.values import quantity
from scheduler.engine.volumes.matching import STORAGE

NO_PROVISIONER = "kubernetes.io/no-provisioner"


def can_provision(nodes: Nodes, storage_class: StorageClass) -> BoolArray:
    """Which nodes the class makes volumes for at all."""
    if storage_class.provisioner in ("", NO_PROVISIONER):
        return np.zeros(len(nodes), np.bool_)
    allowed = topologies(storage_class)
    return np.ones(len(nodes), np.bool_) if allowed is None else selector_matches(nodes, allowed)


def topologies(storage_class: StorageClass) -> labels.NodeSelector | None:
    """Where the class makes volumes; None: everywhere."""
    if not storage_class.allowed_topologies:
        return None
    return labels.NodeSelector(tuple(map(_topology, storage_class.allowed_topologies)))


def _topology(term: TopologySelectorTerm) -> labels.NodeTerm:
    """All expressions of a term must hold; one without any, or that cannot be read, holds nowhere."""
    try:
        wanted = [labels.requirement(one.key, "in", one.values) for one in term.match_label_expressions or ()]
    except Invalid as problem:
        return labels.NodeTerm(errors=(str(problem),))
    return labels.NodeTerm(labels.EVERYTHING.adding(*wanted)) if wanted else labels.NodeTerm(errors=("no expression",))


def has_room(snapshot: Snapshot, nodes: Nodes, claim: PersistentVolumeClaim, storage_class: StorageClass) -> BoolArray:
    """Which nodes reach enough free storage of the class; all, where its driver does not tell."""
    size, found = size_to_find(snapshot, claim, storage_class), np.zeros(len(nodes), np.bool_)
    if size is None:
        return ~found
    for capacity in _capacities(snapshot, storage_class):
        if largest_volume(capacity) >= size:
            found |= _has_access(nodes, capacity)
    return found


def size_to_find(snapshot: Snapshot, claim: PersistentVolumeClaim, storage_class: StorageClass) -> int | None:
    """The bytes that a new volume needs; None where nothing is asked for or the driver does not tell its room."""
    requests = (claim.spec.resources.requests if claim.spec.resources else None) or {}
    driver = cast(CSIDriver | None, snapshot.kind("CSIDriver").get(storage_class.provisioner))
    if STORAGE not in requests or driver is None or not driver.spec.storage_capacity:
        return None
    return quantity.value(requests[STORAGE])


def rooms(snapshot: Snapshot, node: Nodes, storage_class: StorageClass) -> tuple[int, ...]:
    """The largest volumes, in bytes, of all storage of the class that one node reaches; -1 where that is not known."""
    reached = (one for one in _capacities(snapshot, storage_class) if _has_access(node, one)[0])
    return tuple(map(largest_volume, reached))


def _capacities(snapshot: Snapshot, storage_class: StorageClass) -> Iterator[CSIStorageCapacity]:
    for one in snapshot.kind("CSIStorageCapacity").values():
        capacity = cast(CSIStorageCapacity, one)
        if capacity.storage_class_name == storage_class.name:
            yield capacity


def largest_volume(capacity: CSIStorageCapacity) -> int:
    """The size in bytes that a new volume may have; -1 if that is not known."""
    limit = capacity.capacity if capacity.maximum_volume_size is None else capacity.maximum_volume_size
    return -1 if limit is None else quantity.value(limit)


def _has_access(nodes: Nodes, capacity: CSIStorageCapacity) -> BoolArray:
    try:
        selector = labels.label_selector(capacity.node_topology)
    except Invalid:
        selector = labels.NOTHING
    return np.zeros(len(nodes), np.bool_) if selector.nothing else requirements_match(nodes, selector.requirements)
