"""What `plan` tells people of a UnitedDeployment: the numbers, how they came about, what a pass would do."""

from collections.abc import Iterator

from scheduler.engine.uniteddeployment.derivation import rule, told
from scheduler.engine.words import count
from scheduler.management.planning import Planned
from scheduler.management.text import aligned, plain, section

MANUAL = "The manual says that such numbers are ignored and shared out anew; the code does not do that."


def lines(planned: Planned) -> list[str]:
    ud, done = planned.ud, planned.done
    kind = ud.workload_kind.label if ud.workload_kind else "no workload"
    total = "as many replicas as its subsets say" if ud.spec.replicas is None else count(ud.spec.replicas, "replica")
    subsets = count(len(ud.subsets), "subset")
    head = f"{ud.namespace or 'default'}/{ud.name}: {total} over {subsets}, {kind}"
    events = (f"  {one.type}  {one.reason}  {one.message}" for one in done.events)
    parts = (_refused, _error, _numbers, _derivation, _actions)
    return [head, *(line for part in parts for line in part(planned)), *section("Events", events)]


def _refused(planned: Planned) -> list[str]:
    title = "The webhook refuses this object; what follows is what the controller would do with it"
    return section(title, (f"  {one.path}: {one.message}" for one in planned.faults))


def _error(planned: Planned) -> list[str]:
    """The controller's words, and where the manual says something else."""
    if not planned.done.error:
        return []
    idle = "nothing is created, updated or deleted, and " if planned.done.allocation is None else ""
    note = f"{idle}no status is written; the controller tries again, with backoff.".capitalize()
    lines = ["", f"The controller fails: {planned.done.error}", note]
    return lines if planned.done.allocation is not None else [*lines, MANUAL]


def _numbers(planned: Planned) -> list[str]:
    allocation = planned.done.allocation
    if allocation is None:
        return []
    rows = [("subset", "replicas", "partition")]
    rows += [
        (name, f"{number:,}", f"{planned.done.partitions.get(name, 0):,}")
        for name, number in allocation.replicas.items()
    ]
    return section("Replicas", aligned(rows, right=(1, 2)))


def _derivation(planned: Planned) -> list[str]:
    allocation = planned.done.allocation
    if allocation is None:
        return []
    steps = (f"  {number}. {plain(told(step, planned.ud))}" for number, step in enumerate(allocation.steps, 1))
    return section(f"How: {plain(rule(allocation))}", steps)


def _actions(planned: Planned) -> list[str]:
    rows = list(_rows(planned))
    if planned.done.error and not rows:
        return []
    return section("What a pass would do", rows or ["  nothing: everything is as it should be"])


def _rows(planned: Planned) -> Iterator[str]:
    done = planned.done
    for one in done.adopted:
        yield f"  adopt {one.kind.label} {one.name} (it matches the selector, nobody controls it)"
    for one in done.released:
        yield f"  release {one.kind.label} {one.name} (it does not match the selector any more)"
    for create in done.creates:
        yield f"  batch {create.batch}: create {create.subset} with {count(create.replicas, 'replica')}"
    for delete in done.deletes:
        yield f"  delete {delete.kind.label} {delete.workload} ({delete.reason})"
    for update in done.updates:
        what = f"{count(update.replicas, 'replica')}, partition {update.partition}"
        yield f"  batch {update.batch}: update {update.workload} to {what} ({update.reason})"
