"""One pass of the controller: what it finds, what it does, and the status it writes. A pure function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.engine.simulation.clock import from_rfc3339, to_rfc3339
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.uniteddeployment.actions import DELETE_FAULT, Create, Delete, Event, Faults, Update, warning
from scheduler.engine.uniteddeployment.adaptive import detect, schedulable
from scheduler.engine.uniteddeployment.allocation import Allocation, AllocationError
from scheduler.engine.uniteddeployment.allocators import allocate
from scheduler.engine.uniteddeployment.claims import Candidate, Claims
from scheduler.engine.uniteddeployment.crash import ControllerCrash
from scheduler.engine.uniteddeployment.partitions import next_partitions
from scheduler.engine.uniteddeployment.provision import Provision
from scheduler.engine.uniteddeployment.revisions import Revision, Revisions, revisions, selector_of
from scheduler.engine.uniteddeployment.spec import RESERVED_LABEL, UnitedDeployment, WorkloadKind
from scheduler.engine.uniteddeployment.state import ExistingSubset, Schedulability
from scheduler.engine.uniteddeployment.status import (
    FALSE,
    PROVISIONED,
    SUBSET_FAILURE,
    SUBSET_UPDATED,
    TRUE,
    UPDATED,
    Condition,
    Status,
    SubsetStatus,
    condition,
    with_condition,
    with_subset_condition,
    without_condition,
)
from scheduler.engine.uniteddeployment.task import Task
from scheduler.engine.uniteddeployment.updates import Updates, updated_replicas

NO_FAULTS = Faults()


class Found(msgspec.Struct, frozen=True):
    """What is there when a pass begins. `workloads`: of all four kinds, those that it takes for its own.

    `claims`: by kind, whose they are. `unlisted`: why those of a kind that is not the template's cannot be read.
    """

    workloads: tuple[ExistingSubset, ...] = ()
    stored: tuple[Revision, ...] = ()
    now_us: int = 0
    claims: Mapping[WorkloadKind, Claims] = {}
    unlisted: Mapping[WorkloadKind, str] = {}


class Pass(msgspec.Struct, kw_only=True):
    """What a pass did. With an `error` its `status` is the one from before: nothing is written then.

    `requeue_us`: when to come again even if nothing changes, 0 = not. `labels`: by pod, whether it is marked reserved.
    `existing`, `detected`: by subset, what the allocator was given.
    `adopted`, `released`: workloads whose owner reference it wrote or took away.
    """

    status: Status
    error: str = ""
    revisions: Revisions | None = None
    existing: Mapping[str, ExistingSubset] = {}
    detected: Mapping[str, Schedulability] = {}
    adopted: Sequence[Candidate] = ()
    released: Sequence[Candidate] = ()
    allocation: Allocation | None = None
    partitions: Mapping[str, int] = {}
    creates: Sequence[Create] = ()
    updates: Sequence[Update] = ()
    deletes: Sequence[Delete] = ()
    labels: Mapping[str, bool] = {}
    deleted_pods: Sequence[str] = ()
    events: Sequence[Event] = ()
    requeue_us: int = 0


def reconcile(ud: UnitedDeployment, found: Found, faults: Faults = NO_FAULTS) -> Pass:
    """Raises Invalid where the real controller crashes, finds no template or does nothing."""
    if ud.metadata.deletion_timestamp is not None:
        raise Invalid("is being deleted, so its controller does nothing", "metadata.deletionTimestamp")
    return _Reconciler(ud, found, faults).run()


class _Reconciler:
    def __init__(self, ud: UnitedDeployment, found: Found, faults: Faults) -> None:
        kind = ud.workload_kind
        if kind is None:
            raise Invalid("no workload template", "spec.template")
        self.ud, self.found, self.faults, self.kind = ud, found, faults, kind
        self.result = Pass(status=ud.status)
        self.waits: list[int] = []
        self.events: list[Event] = []
        self.time = to_rfc3339(found.now_us // SECOND_US * SECOND_US)
        self.existing, self.duplicates = _by_subset([one for one in found.workloads if one.kind is kind])
        self.result.existing = self.existing
        self._claim(kind)
        self.statuses = self._subset_statuses()
        self.conditions = list(ud.status.conditions)
        self.detected: dict[str, Schedulability] = {}

    def run(self) -> Pass:
        try:
            self.revisions = self._revise()
        except ControllerCrash:
            raise
        except Invalid as fault:
            return self._failed(str(fault), warning("FailedRevisionProvision", str(fault)))
        if failed := self._delete_duplicates():
            return failed
        self._detect()
        try:
            allocation = self.result.allocation = allocate(self.ud, self.existing, self.detected)
        except AllocationError as error:
            text = f"Specified subset replicas is ineffective: {error}"
            return self._failed(str(error), warning("Failed SpecifySubsetReplicas", text))
        self._mark_scaled_up(allocation.replicas)
        self.partitions = self.result.partitions = next_partitions(self.ud, allocation.replicas)
        failure = self._act(allocation.replicas)
        return self._failed(failure, warning("FailedUpdateSubset", failure)) if failure else self._succeeded()

    def _claim(self, *kinds: WorkloadKind) -> None:
        claims = [self.found.claims[kind] for kind in kinds if kind in self.found.claims]
        self.result.adopted = [*self.result.adopted, *(one for claim in claims for one in claim.adopted)]
        self.result.released = [*self.result.released, *(one for claim in claims for one in claim.released)]

    def _subset_statuses(self) -> dict[str, SubsetStatus]:
        """One for every subset of the topology, behind those that are there; none is ever removed."""
        statuses = {one.name: one for one in self.ud.status.subset_statuses}
        created = schedulable(FALSE, "created", "newly-created subsets in reservation strategy", self.found.now_us)
        conditions = [created] if statuses and self.ud.reserves else []
        for one in self.ud.subsets:
            statuses.setdefault(one.name, SubsetStatus(one.name, conditions=conditions))
        return statuses

    def _revise(self) -> Revisions:
        status = self.ud.status
        found = revisions(self.ud, self.found.stored, status.current_revision, status.updated_revision)
        done, name = found.current.name == found.updated.name, found.updated.name
        reason = f"UnitedDeploymentRevision{'Updated' if done else 'Updating'}"
        text = f"{'updated' if done else 'updating'} to revision {name}"
        held = condition(self.conditions, UPDATED)
        state = TRUE if done else FALSE
        if held is None or held.status != state:
            self._condition(Condition(UPDATED, state, reason, text, self.time))
        self.result.revisions = found
        return found

    def _condition(self, new: Condition) -> None:
        self.conditions = with_condition(self.conditions, new)

    def _delete_duplicates(self) -> Pass | None:
        """The pass that failed, where one of them cannot be deleted: the next ones are not tried then."""
        for one in self.duplicates:
            failed = one.name in self.faults.delete
            self.result.deletes = [*self.result.deletes, Delete(one.name, one.workload, one.kind, "duplicate", failed)]
            if failed:
                text = f"fail to manage duplicate Subset of UnitedDeployment {self.ud.namespace}/{self.ud.name}"
                self.events.append(warning("FailedDeleteDuplicatedSubsets", DELETE_FAULT))
                return self._failed(f"{text}: {DELETE_FAULT}", warning("Failed FindSubsets", f"{text}: {DELETE_FAULT}"))
        return None

    def _detect(self) -> None:
        if not self.ud.adaptive:
            return
        updated = condition(self.conditions, UPDATED)
        assert updated is not None
        updating = (self.revisions.updated.name, from_rfc3339(updated.last_transition_time))
        labels: dict[str, bool] = {}
        for name, held in self.existing.items():
            if name not in self.statuses:
                continue  # the controller tells its log, and crashes only once it counts
            finding = detect(self.ud, held, self._status_of(name).conditions, updating, self.found.now_us)
            self.detected[name] = finding.state
            self._set(name, conditions=finding.conditions)
            self.waits += finding.waits
            labels |= finding.labels
        self.result.labels, self.result.detected = labels, self.detected

    def _status_of(self, name: str) -> SubsetStatus:
        held = self.statuses.get(name)
        if held is None:
            raise Invalid(f"the controller crashes on subset {name}, which has no status", "status.subsetStatuses")
        return held

    def _set(self, name: str, **changes: Any) -> None:
        self.statuses[name] = msgspec.structs.replace(self._status_of(name), **changes)

    def _mark_scaled_up(self, replicas: Mapping[str, int]) -> None:
        """Reservation mode: new pods of a subset that has just recovered start as reserved ones."""
        for name, state in self.detected.items() if self.ud.reserves else ():
            grows = replicas.get(name, 0) > self.existing[name].spec_replicas
            if state.marked and not state.unschedulable and grows:
                new = schedulable(FALSE, "reschedule", "subset just recovered scaled up", self.found.now_us)
                self._set(name, conditions=with_subset_condition(self._status_of(name).conditions, new))

    def _act(self, replicas: Mapping[str, int]) -> str:
        name = self.revisions.updated.name
        subsets = {one.name: one for one in reversed(self.ud.subsets)}  # of two of one name the first counts
        found = (subsets, self.existing, self.detected)
        task = Task(self.ud, self.kind, name, *found, replicas, self.partitions, self.faults)
        others = [one for one in self.found.workloads if one.kind is not self.kind]
        self._claim(*(kind for kind in WorkloadKind if kind is not self.kind))  # they are listed only here
        provision = Provision(task, others, self.found.unlisted)
        self.result.creates = provision.creates
        self.result.deletes = [*self.result.deletes, *provision.deletes]
        self.events += provision.events
        if provision.error:
            return provision.error
        if self.ud.adaptive and provision.creates:
            self.waits.append(self.ud.critical_seconds * SECOND_US)
        updates = Updates(task)
        self.result.updates, self.result.deleted_pods = updates.updates, updates.deleted_pods
        self.events += updates.events
        self.provisioned = provision.did
        return updates.error

    def _failed(self, error: str, event: Event) -> Pass:
        self.result.error = error
        self.result.events = [*self.events, event]
        return self.result

    def _succeeded(self) -> Pass:
        waits = [wait for wait in self.waits if wait > 0]
        self.result.requeue_us = min(waits, default=0)
        self.result.events = self.events
        self.result.status = self._status()
        return self.result

    def _status(self) -> Status:
        if self.provisioned:
            self._condition(Condition(PROVISIONED, TRUE, last_transition_time=self.time))
        self._condition(Condition(SUBSET_UPDATED, TRUE, last_transition_time=self.time))
        self._count_subsets(self.result.allocation.replicas if self.result.allocation else {})
        counted = [updated_replicas(one, self.revisions.updated.name) for one in self.existing.values()]
        reserved = sum(one.reserved_pods for one in self.detected.values())
        total, ready = sum(one.status_replicas for one in self.existing.values()) - reserved, sum(x for _, x in counted)
        current, updated = self.ud.status.current_revision or self.revisions.current.name, self.revisions.updated.name
        return Status(
            observed_generation=self.ud.metadata.generation or 0,
            replicas=total,
            ready_replicas=sum(one.ready_replicas for one in self.existing.values()),
            updated_replicas=sum(count for count, _ in counted),
            updated_ready_replicas=ready,
            reserved_pods=reserved,
            current_revision=updated if current != updated and ready >= total else current,
            updated_revision=updated,
            collision_count=self.ud.status.collision_count,
            label_selector=f"{selector_of(self.ud)}{f',{RESERVED_LABEL}=false' if self.ud.reserves else ''}",
            subset_statuses=list(self.statuses.values()),
            conditions=without_condition(self.conditions, SUBSET_FAILURE),
        )

    def _count_subsets(self, replicas: Mapping[str, int]) -> None:
        for name, held in self.existing.items():
            found, conditions = self.detected.get(name), self._status_of(name).conditions
            reserved = found.reserved_pods if found is not None else 0
            numbers = replicas.get(name, 0), held.ready_replicas, self.partitions.get(name, 0), reserved
            self.statuses[name] = SubsetStatus(name, *numbers, conditions)


def _by_subset(workloads: Sequence[ExistingSubset]) -> tuple[dict[str, ExistingSubset], list[ExistingSubset]]:
    """By subset, and those that are there a second time. Workloads are listed by name."""
    kept: dict[str, ExistingSubset] = {}
    twice = []
    for one in sorted(workloads, key=lambda one: one.workload):
        if kept.setdefault(one.name, one) is not one:
            twice.append(one)
    return kept, twice
