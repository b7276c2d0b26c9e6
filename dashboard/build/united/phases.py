"""A pass as six phases, each with what it read and what it gave: the one that would be next, or one of the past."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dashboard.build.united import partitioned
from dashboard.build.united.plan import REASONS
from dashboard.build.united.told import short
from dashboard.build.united.written import changes
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.uniteddeployment.derivation import why
from scheduler.engine.uniteddeployment.partitions import asked_partitions
from scheduler.engine.uniteddeployment.pending import timed_out
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.spec import SUBSET_LABEL, UnitedDeployment
from scheduler.engine.uniteddeployment.state import ExistingSubset
from scheduler.engine.uniteddeployment.status import Status
from scheduler.engine.words import count

NAMES = ("read", "allocate", "partition", "provision", "update", "status")
NO_SUBSET = "no workload"
UNMATCHED = "the selector does not match it any more"


@dataclass(frozen=True)
class Row:
    """`of`: a subset or a field of the status. `is_bad`: something failed here."""

    of: str
    reads: str
    gives: str
    is_bad: bool = False


@dataclass
class Phase:
    """`state`: done, skip, fail or "" (not come to). `figure`: its outcome, short enough for the strip."""

    slug: str
    name: str
    says: str
    figure: str
    state: str
    rows: Sequence[Row] = ()
    notes: Sequence[str] = field(default_factory=list)


def phases(ud: UnitedDeployment, done: Pass, now_us: int, told: Mapping[str, str]) -> list[Phase]:
    """`now_us`: the moment of the pass; `told`: by subset, why it gets its number.

    Behind one that fails nothing is done, but for what the status says of it.
    """
    made = [
        _read(ud, done, now_us),
        _allocate(ud, done, told),
        _partition(ud, done),
        _provision(done),
        _update(done),
        _status(ud.status, done),
    ]
    failed = next((at for at, one in enumerate(made) if one.state == "fail"), len(made))
    for one in made[failed + 1 : -1]:
        one.state, one.figure, one.rows, one.says = "", "", (), "Not come to: an earlier phase failed."
    return made


def chosen(made: Sequence[Phase], asked: str) -> str:
    """The slug of the phase that is open: the one asked for, else where it fails, else the last that did something."""
    if asked in NAMES:
        return asked
    failed = [one.slug for one in made if one.state == "fail"]
    acted = [one.slug for one in made if one.state == "done" and one.slug in ("provision", "update")]
    return failed[0] if failed else acted[-1] if acted else "allocate"


def _read(ud: UnitedDeployment, done: Pass, now_us: int) -> Phase:
    adopted = {one.name for one in done.adopted if one.kind is ud.workload_kind}
    rows = [
        Row(one.labels.get(SUBSET_LABEL, "?"), f"{one.name}: {UNMATCHED}", "released with its pods")
        for one in done.released
        if one.kind is ud.workload_kind
    ]
    for name in dict.fromkeys([*(one.name for one in ud.subsets), *done.existing]):
        held = done.existing.get(name)
        if held is None:
            rows.append(Row(name, NO_SUBSET, "to be created"))
            continue
        revision = f"revision {short(held.revision)}" if held.revision else "no revision"
        reads = f"{held.workload}: {held.ready_replicas} of {held.spec_replicas} ready, {revision}"
        reads += ", matches and controlled by nobody" if held.workload in adopted else ""
        gives = _found(ud, done, held, now_us)
        rows.append(Row(name, reads, f"adopted, {gives}" if held.workload in adopted else gives))
    says = "Workloads that match its selector and that it or nobody controls are read back as subsets"
    if ud.adaptive:
        says += f"; a pod that has waited longer than {ud.critical_seconds} s makes its subset unschedulable"
    return Phase("read", "read subsets", f"{says}.", count(len(done.existing), "workload"), "done", rows)


def _found(ud: UnitedDeployment, done: Pass, held: ExistingSubset, now_us: int) -> str:
    if not any(one.name == held.name for one in ud.subsets):
        return "not in the topology any more"
    state = done.detected.get(held.name)
    if state is None:
        return "taken as it is"
    late = sum(timed_out(pod, ud.critical_seconds * SECOND_US, now_us).met for pod in held.pods)
    tail = f": {count(late, 'pod')} waited too long" if late else ""
    if state.reserved_pods:
        tail += f"; {count(state.reserved_pods, 'pod')} reserved"
    return f"{'unschedulable' if state.unschedulable else 'schedulable'}{tail}"


def _allocate(ud: UnitedDeployment, done: Pass, told: Mapping[str, str]) -> Phase:
    total = "unspecified" if ud.spec.replicas is None else str(ud.spec.replicas)
    if done.allocation is None:
        return Phase(
            "allocate", "allocate", done.error, "contradiction", "fail", [Row("replicas", total, "none", True)]
        )
    rows = [Row(name, _why(name, ud, done, told), str(number)) for name, number in done.allocation.replicas.items()]
    left = (ud.spec.replicas or 0) - sum(done.allocation.replicas.values())
    dropped = count(left, "replica fits nowhere and is dropped.", "replicas fit nowhere and are dropped.")
    notes = [dropped] if left > 0 else []
    figure = _numbers([str(n) for n in done.allocation.replicas.values()])
    asked = "an unspecified number of replicas" if ud.spec.replicas is None else count(ud.spec.replicas, "replica")
    says = f"{done.allocation.allocator} shares out {asked}."
    return Phase("allocate", "allocate", says, figure, "done", rows, notes)


def _why(name: str, ud: UnitedDeployment, done: Pass, told: Mapping[str, str]) -> str:
    """Why a subset got something, or at last why it got nothing. `told`: what a step alone does not say of a share."""
    steps = [step for step in (done.allocation.steps if done.allocation else ()) if step.subset == name]
    telling = [step for step in steps if step.given] or steps[-1:]
    texts = (told[name] if one.rule == "rest" else why(one, ud, done.existing, done.detected) for one in telling)
    return "; ".join(texts)


def _numbers(words: Sequence[str]) -> str:
    return ", ".join(words) if len(words) <= 6 else f"{', '.join(words[:5])}, …"


def _partition(ud: UnitedDeployment, done: Pass) -> Phase:
    asked = asked_partitions(ud)
    replicas = done.allocation.replicas if done.allocation else {}
    rows = [
        Row(name, f"{asked.get(name, 'none')} asked for, {count(replicas.get(name, 0), 'replica')}", str(value))
        for name, value in done.partitions.items()
    ]
    says = "So many pods of each subset keep the old revision: what the strategy asks for, at most all."
    figure = _numbers([str(value) for value in done.partitions.values()])
    return Phase("partition", "partition", says, figure, "done" if done.allocation else "", rows)


def _created(replicas: int) -> str:
    return f"created with {count(replicas, 'replica')}"


def _provision(done: Pass) -> Phase:
    rows = [
        Row(one.subset, NO_SUBSET, f"batch {one.batch}: {_told(one.failed, _created(one.replicas))}", one.failed)
        for one in done.creates
    ]  # fmt: skip
    rows += [
        Row(one.subset, f"{one.workload}, {one.reason}", _told(one.failed, "deleted"), one.failed)
        for one in done.deletes
    ]
    made = {one.subset for one in done.creates}
    missing = set(done.allocation.replicas if done.allocation else ()) - set(done.existing) - made
    rows += [Row(name, NO_SUBSET, "not reached: an earlier batch failed", True) for name in sorted(missing)]
    acts: tuple[Any, ...] = (*done.creates, *done.deletes)
    notes = [done.error] if any(one.failed for one in acts) else []
    says = "Missing workloads are created in batches of 1, 2, 4, …; then those of other subsets and kinds are deleted."
    figure = count(len(acts), "change") if acts else "none"
    return Phase("provision", "provision", says, figure, _acted(acts), rows, notes)


def _told(failed: bool, done: str) -> str:
    return "fails" if failed else done


def _acted(acts: Sequence[Any]) -> str:
    return "fail" if any(one.failed for one in acts) else "done" if acts else "skip"


def _update(done: Pass) -> Phase:
    rows, settled = [], partitioned.held_back(done)
    for one in done.updates:
        held = done.existing[one.subset]
        if one.subset in settled:
            reads = partitioned.why(settled[one.subset], one.partition)
            rows.append(Row(one.subset, reads, f"batch {one.batch}: written as it is"))
            continue
        parts = [REASONS[one.reason]]
        parts += [f"replicas {held.spec_replicas} → {one.replicas}"] if held.spec_replicas != one.replicas else []
        parts += [f"partition {held.partition} → {one.partition}"] if held.partition != one.partition else []
        rows.append(Row(one.subset, ", ".join(parts), f"batch {one.batch}: {_told(one.failed, 'written')}", one.failed))
    notes = [f"{count(len(done.deleted_pods), 'stuck pod')} deleted."] if done.deleted_pods else []
    says = "Workloads that differ from what they should be are written anew, in batches of 1, 2, 4, …"
    figure = count(len(done.updates), "subset") if done.updates else "none"
    return Phase("update", "update", says, figure, _acted(done.updates), rows, [*notes, *_failure(done.updates, done)])


def _failure(acts: Sequence[Any], done: Pass) -> list[str]:
    return [done.error] if any(one.failed for one in acts) else []


def _status(before: Status, done: Pass) -> Phase:
    rows = [Row(*one) for one in changes(before, done)] if not done.error else []
    notes = [f"{one.type} {one.reason}: {one.message}" for one in done.events]
    if done.requeue_us:
        notes.append(f"Comes again after {done.requeue_us / SECOND_US:g} s even if nothing changes.")
    if done.error:
        return Phase("status", "status", "Not written: the pass failed and is tried again.", "not written", "fail",
                     rows, notes)  # fmt: skip
    says = "What is different now is written." if rows else "Nothing is different, so nothing is written."
    return Phase("status", "status", says, "written" if rows else "same", "done" if rows else "skip", rows, notes)
