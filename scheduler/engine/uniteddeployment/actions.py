"""What a pass does to workloads: creates, deletes, cleans other kinds, writes updates. Faults can be injected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from scheduler.engine.uniteddeployment.spec import WorkloadKind

DELETE_FAULT = "injected delete error"


class Faults(msgspec.Struct, frozen=True):
    """Calls that are to fail, by subset: "error", or "timeout" (which counts as done)."""

    create: Mapping[str, str] = {}
    delete: frozenset[str] = frozenset()
    update: frozenset[str] = frozenset()


class Create(msgspec.Struct, frozen=True):
    subset: str
    replicas: int
    partition: int
    batch: int
    manifest: dict[str, Any]
    failed: bool = False


class Update(msgspec.Struct, frozen=True):
    """`reason`: the first of revision, replicas, partition, patch, "still updating" that made it necessary."""

    subset: str
    workload: str
    replicas: int
    partition: int
    batch: int
    reason: str
    manifest: dict[str, Any]
    failed: bool = False


class Delete(msgspec.Struct, frozen=True):
    """`reason`: "duplicate", "removed" from the topology, or "other kind"."""

    subset: str
    workload: str
    kind: WorkloadKind
    reason: str
    failed: bool = False


class Event(msgspec.Struct, frozen=True):
    type: str
    reason: str
    message: str


def normal(message: str) -> Event:
    return Event("Normal", "SuccessfulUpdateSubset", message)


def warning(reason: str, message: str) -> Event:
    return Event("Warning", reason, message)
