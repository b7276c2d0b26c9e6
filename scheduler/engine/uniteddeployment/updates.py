"""Updating: every workload that differs from what it should be is rendered anew and written, in slow-start batches."""

from __future__ import annotations

from typing import Any

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.engine.uniteddeployment.actions import Event, Update, warning
from scheduler.engine.uniteddeployment.crash import ControllerCrash
from scheduler.engine.uniteddeployment.rendering import patch_text, rendered
from scheduler.engine.uniteddeployment.slow_start import slow_start
from scheduler.engine.uniteddeployment.spec import WorkloadKind
from scheduler.engine.uniteddeployment.state import ExistingSubset
from scheduler.engine.uniteddeployment.task import Task
from scheduler.engine.workloads.owned import OwnedPod


def updated_replicas(subset: ExistingSubset, revision: str) -> tuple[int, int]:
    """(pods at the revision that live on, those of them that are ready)."""
    if subset.live is not None:
        return subset.live.get(revision, (0, 0))
    live = [
        pod
        for pod in subset.pods
        if pod.revision == revision and not pod.deleting and pod.phase not in ("Failed", "Succeeded")
    ]
    return len(live), sum(bool(pod.ready) for pod in live)


class Updates:
    """`error`: of the first update that failed, "" if all went well. `deleted_pods`: stuck ones of StatefulSets."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.updates: list[Update] = []
        self.events: list[Event] = []
        self.deleted_pods: list[str] = []
        self.error = ""
        wanted = [(name, _reason(task, name)) for name in sorted(set(task.existing) & set(task.next_replicas))]
        slow_start([(name, reason) for name, reason in wanted if reason], self._update)

    def _update(self, item: tuple[str, str], batch: int) -> bool:
        task, (name, reason) = self.task, item
        held = task.existing[name]
        replicas, partition = task.next_replicas[name], task.next_partitions[name]
        error, manifest = "injected update error" if name in task.faults.update else "", {}
        try:
            manifest = _rendered(task, held)
        except ControllerCrash:
            raise
        except Invalid as invalid:
            error = str(invalid)
        self.updates.append(Update(name, held.workload, replicas, partition, batch, reason, manifest, bool(error)))
        if error:
            text = f"Error updating PodSet ({task.kind.label}) {held.workload} when updating: {error}"
            self.events.append(warning("FailedUpdateSubset", text))
            self.error = self.error or error
        elif task.kind is WorkloadKind.STATEFUL_SET and manifest["spec"]["updateStrategy"].get("type") != "OnDelete":
            self.deleted_pods += [pod.name for pod in held.pods if _stuck(pod, partition, task.revision)]
        return not error


def _reason(task: Task, name: str) -> str:
    held, subset = task.existing[name], task.subsets[name]
    if held.revision != task.revision:
        return "revision"
    if held.spec_replicas != task.next_replicas[name]:
        return "replicas"
    if held.partition != task.next_partitions[name]:
        return "partition"
    if held.patch != patch_text(subset):
        return "patch"
    return "still updating" if updated_replicas(held, task.revision)[0] < held.status_replicas else ""


def _rendered(task: Task, held: ExistingSubset) -> dict[str, Any]:
    manifest = rendered(
        task.ud,
        task.kind,
        task.subsets[held.name],
        revision=task.revision,
        replicas=task.next_replicas[held.name],
        partition=task.next_partitions[held.name],
        existing=msgspec.to_builtins(held.manifest),
    )
    found = task.found.get(held.name)
    if task.ud.reserves and found is not None and found.unschedulable:
        field = "strategy" if task.kind is WorkloadKind.DEPLOYMENT else "updateStrategy"
        strategy = dict(manifest["spec"].get(field) or {})
        most = held.spec_replicas - held.ready_replicas + found.update_timeouts
        strategy["rollingUpdate"] = {**(strategy.get("rollingUpdate") or {}), "maxUnavailable": most}
        manifest["spec"][field] = strategy
    return manifest


def _stuck(pod: OwnedPod, partition: int, revision: str) -> bool:
    """A pod that is not ready keeps a StatefulSet from updating it. One without an ordinal comes before the first."""
    ordinal = pod.name.rpartition("-")[2]
    number = int(ordinal) if ordinal.isascii() and ordinal.isdecimal() and ordinal != pod.name else -1
    return (number if number < 2**31 else -1) >= partition and pod.revision != revision and not pod.ready
