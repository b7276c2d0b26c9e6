"""Evicts pods of lower priority so that one that fits nowhere gets a node.

Source: v1.34.1 plugins/defaultpreemption.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scheduler.engine.cycle.draw import draw
from scheduler.engine.cycle.fit_error import fit_error, histogram
from scheduler.engine.errors import aggregate
from scheduler.engine.framework import (
    SUCCESS,
    Code,
    Plugin,
    PostFilterResult,
    error,
    unschedulable,
)
from scheduler.engine.preemption.choice import compare
from scheduler.engine.preemption.dry_run import candidates_wanted, dry_run
from scheduler.engine.preemption.eligibility import ineligible_reason, potential_rows
from scheduler.engine.preemption.record import DRAWN, ONLY_CANDIDATE, SMALLEST_NAME, Preemption

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

_NOT_HELPFUL = "Preemption is not helpful for scheduling"
_OFFSET, _TIE = range(2)
"""Numbers of the draws."""


class DefaultPreemptionArgs(msgspec.Struct, frozen=True, rename="camel"):
    """The search ends with this many candidates: so many percent of the nodes in question, and at least so many."""

    min_candidate_nodes_percentage: int = 10
    min_candidate_nodes_absolute: int = 100


class DefaultPreemption(Plugin):
    """Its gate, which holds a preemptor while its victims go, is the queue's business."""

    name = "DefaultPreemption"
    Args = DefaultPreemptionArgs

    def post_filter(self, cycle: Cycle) -> PostFilterResult:
        if reason := ineligible_reason(cycle):
            return PostFilterResult(unschedulable(_said(reason)), details=Preemption(ineligible=reason))
        record = self._tried(cycle)
        if record.candidates:
            return PostFilterResult(SUCCESS, record.nominated, record.victims, record)
        errors = [status.message for status in record.rejected.values() if status.code is Code.ERROR]
        if errors:
            return PostFilterResult(error(_said(aggregate(errors))))
        return PostFilterResult(unschedulable(_said(_message(cycle, record))), "", details=record)

    def _tried(self, cycle: Cycle) -> Preemption:
        rows, names = potential_rows(cycle), cycle.snapshot.names
        args: DefaultPreemptionArgs = self.args
        wanted = candidates_wanted(len(rows), args.min_candidate_nodes_percentage, args.min_candidate_nodes_absolute)
        # Where all are tried, the order in which that happens changes nothing.
        offset = draw(cycle.seed, cycle.number, _OFFSET, len(rows)) if wanted < len(rows) else 0
        found = dry_run(cycle, rows[offset:] + rows[:offset], wanted)
        return _decided(
            cycle,
            Preemption(
                potential=tuple(names[row] for row in rows),
                wanted=wanted,
                candidates={names[row]: victims for row, victims in found.candidates.items()},
                rejected={names[row]: status for row, status in found.rejected.items()},
            ),
        )


def _decided(cycle: Cycle, record: Preemption) -> Preemption:
    """Choose a node: by the rules, then among equals."""
    if not record.candidates:
        return record
    comparisons = tuple(compare(record.candidates))
    tied = sorted(comparisons[-1].kept if comparisons else record.candidates)
    if len(tied) > 1:
        decided_by = DRAWN if cycle.draws_nomination else SMALLEST_NAME
    else:
        decided_by = comparisons[-1].rule if comparisons else ONLY_CANDIDATE
    place = draw(cycle.seed, cycle.number, _TIE, len(tied)) if cycle.draws_nomination else 0
    return Preemption(
        potential=record.potential,
        wanted=record.wanted,
        candidates=record.candidates,
        rejected=record.rejected,
        comparisons=comparisons,
        tied=tuple(tied),
        nominated=tied[place],
        decided_by=decided_by,
    )


def _message(cycle: Cycle, record: Preemption) -> str:
    """The FitError of preemption itself: nodes that were not tried count as not helpful."""
    counted: list[tuple[tuple[str, ...], int]] = [(status.reasons, 1) for status in record.rejected.values()]
    if others := len(cycle.snapshot) - len(record.rejected):
        counted.append(((_NOT_HELPFUL,), others))
    return fit_error(len(cycle.snapshot), histogram(counted))


def _said(text: str) -> str:
    return f"preemption: {text}"
