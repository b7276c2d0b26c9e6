"""Every number of a subset's row, opened: the sum with its figures, or what was counted."""

from collections.abc import Iterator, Mapping
from typing import Any

from dashboard.build.united.told import short
from scheduler.engine.explain.wording import Line, lines
from scheduler.engine.framework import Step
from scheduler.engine.uniteddeployment import arithmetic
from scheduler.engine.uniteddeployment.partitions import asked_partitions
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.spec import UnitedDeployment
from scheduler.engine.uniteddeployment.state import ExistingSubset
from scheduler.engine.words import count

ENDS = ("planned", "change", "partition")  # lines that end a sum


def sums(row: Mapping[str, Any], ud: UnitedDeployment, done: Pass, *, is_rehearsed: bool) -> list[Line]:
    """`row`: as the table of subsets has it. `is_rehearsed`: whether pods that would wait were counted on a copy."""
    parts = [*_parts(row, ud, done)]
    if is_rehearsed:
        note = "its pods without a node at the end of the rehearsal, on a copy of the cluster"
        parts.append([Step("would wait", "value", (row["wait"],), row["wait"], note)])
    return [line for steps in parts for line in lines(steps)]


def _parts(row: Mapping[str, Any], ud: UnitedDeployment, done: Pass) -> Iterator[list[Step]]:
    name, held = row["name"], done.existing.get(row["name"])
    if done.allocation is not None and name in done.allocation.replicas:
        yield arithmetic.planned(name, ud, done.allocation, done.existing, done.detected)
    elif done.allocation is not None:
        yield [Step("planned", "value", (0,), 0, "it is not in the topology any more")]
    yield _asked(row, held)
    if done.allocation is not None:
        yield [Step("change", "subtract", (row["planned"], row["asked"]), row["change"], "planned − asked")]
    yield from _counted(row, ud, done, held)
    if held is not None and row["revision"]:
        told = f"{'not ' if row['is_old'] else ''}the newest: of its label, written by the last update"
        yield [Step("revision", "value", ((row["revision"],),), (row["revision"],), told)]
    if name in done.partitions:
        asked = asked_partitions(ud).get(name, 0)
        note = "asked for, and planned: at most all" if asked else "none is asked for"
        yield [Step("partition", "smaller", (asked, row["planned"]), row["partition"], note)]


def _asked(row: Mapping[str, Any], held: ExistingSubset | None) -> list[Step]:
    note = f"spec.replicas of {held.workload}" if held is not None else "it has no workload yet"
    return [Step("asked", "value", (row["asked"],), row["asked"], note)]


def _counted(
    row: Mapping[str, Any], ud: UnitedDeployment, done: Pass, held: ExistingSubset | None
) -> Iterator[list[Step]]:
    if held is None:
        return
    revision = short(done.revisions.updated.name) if done.revisions is not None else ""
    counts = {
        "pods": f"pods that {held.workload} has",
        "ready": f"readyReplicas of {held.workload}",
        "updated": f"of them at revision {revision}, and neither ending nor ended",
        "pending": "of them without a node",
    }
    for name, note in counts.items():
        yield [Step(name, "value", (row[name],), row[name], note)]
    state = done.detected.get(held.name)
    if state is not None and ud.reserves:
        yield [Step("reserved", "value", (state.reserved_pods,), state.reserved_pods, _reserved(state.update_timeouts))]


def _reserved(late: int) -> str:
    tail = f"; {count(late, 'update')} took too long" if late else ""
    return f"of them waiting, or ready again too short a time{tail}"
