"""New volumes for claims: which nodes a storage class can make one for, and where it has room.

Source: v1.34.1 plugins/volumebinding, checkVolumeProvisions and hasEnoughCapacity.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from scheduler.engine import labels
from scheduler.engine.cluster.selection import requirements_match
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
    if not storage_class.allowed_topologies:
        return np.ones(len(nodes), np.bool_)
    allowed = np.zeros(len(nodes), np.bool_)
    for term in storage_class.allowed_topologies:
        allowed |= _in_topology(nodes, term)
    return allowed


def _in_topology(nodes: Nodes, term: TopologySelectorTerm) -> BoolArray:
    """All expressions of a term must hold; one without any, or that cannot be read, holds nowhere."""
    try:
        wanted = [labels.requirement(one.key, "in", one.values) for one in term.match_label_expressions or ()]
    except Invalid:
        wanted = []
    return requirements_match(nodes, wanted) if wanted else np.zeros(len(nodes), np.bool_)


def has_room(snapshot: Snapshot, nodes: Nodes, claim: PersistentVolumeClaim, storage_class: StorageClass) -> BoolArray:
    """Which nodes reach enough free storage of the class; all, where its driver does not tell."""
    requests = (claim.spec.resources.requests if claim.spec.resources else None) or {}
    driver = cast(CSIDriver | None, snapshot.kind("CSIDriver").get(storage_class.provisioner))
    if STORAGE not in requests or driver is None or not driver.spec.storage_capacity:
        return np.ones(len(nodes), np.bool_)
    size, found = quantity.value(requests[STORAGE]), np.zeros(len(nodes), np.bool_)
    for one in snapshot.kind("CSIStorageCapacity").values():
        capacity = cast(CSIStorageCapacity, one)
        if capacity.storage_class_name == storage_class.name and largest_volume(capacity) >= size:
            found |= _has_access(nodes, capacity)
    return found


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
