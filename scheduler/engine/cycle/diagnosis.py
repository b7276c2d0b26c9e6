"""Why nodes were refused: kube-scheduler's Diagnosis, grouped by status instead of one entry a node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.decision import LISTED_NODES, Refusal
from scheduler.engine.cycle.fit_error import histogram
from scheduler.engine.framework import Code, Int64Array, Status

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`groups`: the recorded statuses with the rows that have them. `absent`: the status of all other refused nodes.

    `absent_rows`: those other nodes. `evaluated`: feasible and recorded nodes, as kube-scheduler counts them.
    """

    groups: list[tuple[Status, Int64Array]]
    absent: Status | None
    absent_rows: Int64Array
    pre_filter_message: str
    unschedulable_plugins: tuple[str, ...]
    pending_plugins: tuple[str, ...]
    evaluated: int

    def all_groups(self) -> Iterator[tuple[Status, Int64Array]]:
        yield from self.groups
        if self.absent is not None and len(self.absent_rows):
            yield self.absent, self.absent_rows

    def reasons(self) -> dict[str, int]:
        """Nodes by reason."""
        return histogram((status.reasons, len(rows)) for status, rows in self.all_groups())

    def refusals(self, names: list[str]) -> tuple[Refusal, ...]:
        """Nodes by plugin, reason and code, most frequent first. `names`: of all rows."""
        merged: dict[tuple[str, str, str], list[int]] = {}
        for status, rows in self.all_groups():
            for reason in status.reasons or ("",):
                merged.setdefault((status.plugin, reason, status.code.label), []).extend(rows.tolist())
        return tuple(
            Refusal(*key, count=len(rows), nodes=tuple(names[row] for row in rows[:LISTED_NODES]))
            for key, rows in sorted(merged.items(), key=lambda item: (-len(item[1]), item[0]))
        )


def diagnose(cycle: Cycle) -> Diagnosis:
    """What is known after Filter."""
    pre_filter = cycle.pre_filter_status
    groups = _recorded(cycle)
    plugins = {status.plugin for status, _ in groups} | set(cycle.narrowed_by) | {pre_filter.plugin}
    pending = {status.plugin for status, _ in groups if status.code is Code.PENDING}
    absent = _absent(cycle)
    recorded = sum(len(rows) for _, rows in groups)
    return Diagnosis(
        groups,
        absent,
        _others(cycle, groups) if absent is not None else np.zeros(0, np.int64),
        pre_filter.message if pre_filter.is_rejected else "",
        tuple(sorted(plugins - {""})),
        tuple(sorted(pending)),
        len(cycle.found.feasible) + recorded,
    )


def _recorded(cycle: Cycle) -> list[tuple[Status, Int64Array]]:
    groups: list[tuple[Status, Int64Array]] = []
    filtered, own = cycle.filtered, cycle.own_nomination
    if filtered is not None:
        refused = cycle.found.visited[~filtered.passed[cycle.found.visited]]
        groups = [(status, filtered.rows[places]) for status, places in filtered.first_failures(refused)]
    if own is not None and not any(own[0] in rows for _, rows in groups):
        groups.append((own[1], np.array([own[0]], np.int64)))
    return groups


def _absent(cycle: Cycle) -> Status | None:
    """The status of every node that no filter looked at; None if all were."""
    if cycle.pre_filter_status.is_rejected:
        return cycle.pre_filter_status
    if cycle.node_names is None:
        return None
    reason = f"node(s) didn't satisfy plugin(s) [{' '.join(sorted(cycle.narrowed_by))}]"
    return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, (reason,))


def _others(cycle: Cycle, groups: list[tuple[Status, Int64Array]]) -> Int64Array:
    """Rows that are neither recorded nor candidates."""
    looked_at = [rows for _, rows in groups] + ([cycle.filtered.rows] if cycle.filtered is not None else [])
    all_rows = cycle.snapshot.columns.all_rows
    return np.setdiff1d(all_rows, np.concatenate(looked_at)) if looked_at else all_rows
