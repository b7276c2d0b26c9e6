"""What a reconcile pass finds: the workloads made earlier, as subsets, with their pods. Moments are virtual µs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from scheduler.engine.uniteddeployment.spec import WorkloadKind
from scheduler.engine.workloads.owned import OwnedPod


class ExistingSubset(msgspec.Struct, frozen=True):
    """A workload read back as a subset. `partition` is what it carries, `patch` the text of its annotation.

    `live`: by revision, pods that live on and those of them that are ready, where somebody keeps count of them.
    `manifest`: the workload, as a mapping or as an object.
    """

    name: str
    workload: str = ""
    kind: WorkloadKind = WorkloadKind.CLONE_SET
    spec_replicas: int = 0
    partition: int = 0
    status_replicas: int = 0
    ready_replicas: int = 0
    revision: str = ""
    patch: str = ""
    pods: tuple[OwnedPod, ...] = ()
    live: Mapping[str, tuple[int, int]] | None = None
    manifest: Any = None


class Schedulability(msgspec.Struct, frozen=True):
    """What adaptive scheduling found out about an existing subset in this pass.

    `marked`: its condition Schedulable was False before. `update_timeouts`: pods reserved because an update took long.
    """

    unschedulable: bool = False
    marked: bool = False
    reserved_pods: int = 0
    update_timeouts: int = 0
