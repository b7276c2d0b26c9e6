"""What a reconcile pass finds: the workloads made earlier, as subsets, with their pods. Moments are virtual µs."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine.uniteddeployment.spec import WorkloadKind


class OwnedPod(msgspec.Struct, frozen=True, gc=False):
    """One pod of a workload, as far as the controller looks. `ready`: None where it has no Ready condition."""

    name: str
    phase: str = ""
    created_us: int | None = None
    node_name: str = ""
    unschedulable: bool = False
    ready: bool | None = None
    ready_since_us: int = 0
    revision: str = ""
    reserved: str = ""
    deleting: bool = False


class ExistingSubset(msgspec.Struct, frozen=True):
    """A workload read back as a subset. `partition` is what it carries, `patch` the text of its annotation."""

    name: str
    workload: str = ""
    kind: WorkloadKind = WorkloadKind.CLONE_SET
    spec_replicas: int = 0
    partition: int = 0
    on_delete: bool = False
    status_replicas: int = 0
    ready_replicas: int = 0
    revision: str = ""
    patch: str = ""
    pods: tuple[OwnedPod, ...] = ()
    manifest: dict[str, Any] | None = None


class Schedulability(msgspec.Struct, frozen=True):
    """What adaptive scheduling found out about an existing subset in this pass.

    `marked`: its condition Schedulable was False before. `update_timeouts`: pods reserved because an update took long.
    """

    unschedulable: bool = False
    marked: bool = False
    reserved_pods: int = 0
    update_timeouts: int = 0
