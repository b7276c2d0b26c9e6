"""Provisioning: the workloads of new subsets are made, those of removed ones and of other kinds go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scheduler.engine.errors import Invalid, aggregate
from scheduler.engine.uniteddeployment.actions import DELETE_FAULT, Create, Delete, Event, normal
from scheduler.engine.uniteddeployment.crash import ControllerCrash
from scheduler.engine.uniteddeployment.rendering import rendered
from scheduler.engine.uniteddeployment.slow_start import slow_start
from scheduler.engine.uniteddeployment.spec import WorkloadKind
from scheduler.engine.uniteddeployment.state import ExistingSubset
from scheduler.engine.uniteddeployment.task import Task


class Provision:
    """`did`: something was created, deleted or cleaned. `error`: the controller's words, "" if all went well.

    `unlisted`: kinds whose workloads cannot be read, with why; none of them is deleted then.
    """

    def __init__(
        self, task: Task, others: Sequence[ExistingSubset], unlisted: Mapping[WorkloadKind, str] | None = None
    ) -> None:
        self.task = task
        self.creates: list[Create] = []
        self.deletes: list[Delete] = []
        self.events: list[Event] = []
        self.errors: list[str] = []
        self._create_all()
        self._delete_removed()
        for one in others:
            self.delete(one, "other kind")
        name = f"{task.ud.namespace}/{task.ud.name}"
        for kind, why in (unlisted or {}).items():
            self.errors.append(f"fail to list Subset of other type {kind.label} for UnitedDeployment {name}: {why}")
        self.did = bool(self.creates or self.deletes)

    @property
    def error(self) -> str:
        return f"fail to manage Subset provision: {aggregate(self.errors)}" if self.errors else ""

    def _create_all(self) -> None:
        names = sorted(set(self.task.next_replicas) - set(self.task.existing))
        made, failed = slow_start(names, self._create)
        if names and not failed:
            self.events.append(normal(f"Create {made} Subset ({self.task.kind.label})"))

    def _create(self, subset: str, batch: int) -> bool:
        task = self.task
        replicas, partition = task.next_replicas[subset], task.next_partitions[subset]
        fault, manifest = task.faults.create.get(subset), {}
        error = "injected create error" if fault == "error" else ""
        try:
            chosen = task.subsets[subset]
            manifest = rendered(
                task.ud, task.kind, chosen, revision=task.revision, replicas=replicas, partition=partition
            )
        except ControllerCrash:
            raise
        except Invalid as invalid:
            error = str(invalid)
        self.creates.append(Create(subset, replicas, partition, batch, manifest, bool(error)))
        if error and not self.errors:
            self.errors.append(f"fail to create Subset ({task.kind.label}) {subset}: {error}")
        return not error

    def _delete_removed(self) -> None:
        names = sorted(set(self.task.existing) - set(self.task.next_replicas))
        before = len(self.errors)
        for name in names:
            self.delete(self.task.existing[name], "removed")
        if names and len(self.errors) == before:
            self.events.append(normal(f"Delete {len(names)} Subset ({self.task.kind.label})"))

    def delete(self, one: ExistingSubset, reason: str) -> None:
        failed = one.name in self.task.faults.delete
        self.deletes.append(Delete(one.name, one.workload, one.kind, reason, failed))
        if failed:
            name = f"{self.task.ud.namespace}/{self.task.ud.name}"
            what = f"({one.kind.label}) {self.task.ud.namespace}/{one.workload} for {one.name}"
            if one.kind is not self.task.kind:
                what = f"{one.workload} of other type {one.kind.label} for UnitedDeployment {name}"
            self.errors.append(f"fail to delete Subset {what}: {DELETE_FAULT}")
