"""Every number of a subset's row, opened: the sum with its figures, or what was counted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scheduler.engine.explain.wording import Line, lines
from scheduler.engine.framework import Step
from scheduler.engine.uniteddeployment import arithmetic
from scheduler.engine.uniteddeployment.partitions import asked_partitions
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.spec import UnitedDeployment


def sums(
    row: Mapping[str, Any], ud: UnitedDeployment, done: Pass, planned: Sequence[Step], *, is_rehearsed: bool
) -> list[tuple[str, list[Line]]]:
    """Titles with their lines. `row`: as the table of subsets has it; `planned`: its part of `planned_steps`.

    `is_rehearsed`: whether pods that would wait were counted on a copy.
    """
    parts = {
        "what is planned": planned,
        "what changes": [*_changes(row, ud, done)],
        "what there is": [*_counted(row, ud, done, is_rehearsed)],
    }
    return [(title, lines(steps)) for title, steps in parts.items() if steps]


def planned_steps(names: Sequence[str], ud: UnitedDeployment, done: Pass) -> dict[str, Sequence[Step]]:
    """How the planned number of each of these subsets comes about; nothing where there is no plan."""
    if done.allocation is None:
        return dict.fromkeys(names, ())
    found = arithmetic.planned(ud, done.allocation, done.existing, done.detected)
    left = Step("planned", "value", (0,), 0, "it is not in the topology any more")
    return {name: found.get(name, [left]) for name in names}


def _changes(row: Mapping[str, Any], ud: UnitedDeployment, done: Pass) -> Iterator[Step]:
    name, held = row["name"], done.existing.get(row["name"])
    note = f"spec.replicas of {held.workload}" if held is not None else "it has no workload yet"
    yield Step("asked", "value", (row["asked"],), row["asked"], note)
    if done.allocation is not None:
        yield Step("change", "subtract", (row["planned"], row["asked"]), row["change"], "planned − asked")
    if name in done.partitions:
        asked = asked_partitions(ud).get(name, 0)
        note = "asked for, and planned: at most all" if asked else "none is asked for"
        yield Step("partition", "smaller", (asked, row["planned"]), row["partition"], note)


def _counted(row: Mapping[str, Any], ud: UnitedDeployment, done: Pass, is_rehearsed: bool) -> Iterator[Step]:
    held = done.existing.get(row["name"])
    if held is not None:
        yield _number(row, "pods", f"pods that {held.workload} has")
        yield _number(row, "ready", "of them with the condition Ready")
        if held.ready_replicas != row["ready"]:
            note = f"{held.workload} says so far; an adaptive split reads this"
            yield Step("readyReplicas", "value", (held.ready_replicas,), held.ready_replicas, note)
        yield _number(row, "updated", f"of them at revision {row['asked_revision']}, and neither ending nor ended")
        yield _number(row, "pending", "of them without a node")
        yield from _reserved(held.name, ud, done)
        told = "another is planned" if row["is_old"] else "the newest"
        yield Step("revision", "value", ((row["revision"],),), (row["revision"],), f"of its label: {told}")
    if is_rehearsed:
        note = "without a node at the end of the rehearsal, on a copy of the cluster"
        yield Step("would wait", "value", (row["wait"],), row["wait"], note)


def _number(row: Mapping[str, Any], name: str, note: str) -> Step:
    return Step(name, "value", (row[name],), row[name], note)


def _reserved(name: str, ud: UnitedDeployment, done: Pass) -> Iterator[Step]:
    state = done.detected.get(name)
    if state is not None and ud.reserves:
        late = state.update_timeouts
        tail = f"; {late} because their update took too long" if late else ""
        note = f"of them waiting, or ready again for too short a time{tail}"
        yield Step("reserved", "value", (state.reserved_pods,), state.reserved_pods, note)
