"""Everything that screens show of an attempt: recomputed from the state at its Pop whenever somebody looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from scheduler.engine.cycle.decision import Decision, Refusal
from scheduler.engine.cycle.diagnosis import Diagnosis, diagnose
from scheduler.engine.cycle.filtering import Filtered, run_filters
from scheduler.engine.cycle.scores import ScoreError, Scores
from scheduler.engine.errors import PluginError
from scheduler.engine.framework import Code, Int64Array, PostFilterResult, Status
from scheduler.engine.words import count

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

PhaseState = Literal["idle", "done", "skip", "fail"]
NOT_EVALUATED = "NotEvaluated"


@dataclass(frozen=True, slots=True)
class PhaseNote:
    """A phase as far as it has come, and its result in a few words."""

    name: str
    state: PhaseState
    note: str = ""


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """One filter: how many of the nodes that were left it refused. A skipped one was not asked."""

    plugin: str
    left: int
    lost: int
    skipped: bool


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A row of the matrix. `skipped`: PreScore left it out, so it has no scores at all.

    `whole_list`: it scores all feasible nodes at once.
    """

    name: str
    weight: int
    normalizes: bool
    lower_is_better: bool
    skipped: bool
    whole_list: bool


class Trace:
    """A view of a cycle. Everything is computed when first asked for and then kept; nothing here decides anything."""

    def __init__(self, cycle: Cycle) -> None:
        self.cycle = cycle

    @property
    def decision(self) -> Decision | None:
        return self.cycle.decision

    @property
    def names(self) -> list[str]:
        """Names of all nodes by row."""
        return self.cycle.snapshot.names

    @property
    def feasible(self) -> list[str]:
        """Names of the nodes that passed, in the order found: the rows of every score array."""
        names = self.names
        return [names[row] for row in self.cycle.feasible.tolist()]

    @cached_property
    def diagnosis(self) -> Diagnosis:
        return diagnose(self.cycle)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Nodes by plugin and reason, most frequent first."""
        return self.diagnosis.refusals(self.names)

    @property
    def post_filter(self) -> PostFilterResult | None:
        return self.cycle.post_filter_result

    # --- filters ------------------------------------------------------------------------------------------------------

    @cached_property
    def funnel(self) -> list[FunnelStep]:
        """The filters in order, over the nodes that the search processed; narrowing by PreFilter comes first."""
        steps, cycle = [], self.cycle
        left = len(self.names)
        if cycle.node_names is not None and cycle.filtered is not None:
            steps.append(FunnelStep("PreFilter", len(cycle.filtered.rows), left - len(cycle.filtered.rows), False))
        left = len(cycle.found.visited)
        lost = self._lost_by_filter()
        for name in cycle.profile.enabled("filter"):
            if name in cycle.line_up.plugins:
                left -= lost.get(name, 0)
                steps.append(FunnelStep(name, left, lost.get(name, 0), name in cycle.skipped_filters))
        return steps

    def _lost_by_filter(self) -> dict[str, int]:
        lost: dict[str, int] = {}
        for status, rows in self.diagnosis.groups:
            lost[status.plugin] = lost.get(status.plugin, 0) + len(rows)
        return lost

    @cached_property
    def first_failures(self) -> dict[int, Status]:
        """Row → why it was refused, for every refused row. Rows missing here passed or were not looked at."""
        return {row: status for status, rows in self.diagnosis.all_groups() for row in rows.tolist()}

    @cached_property
    def not_evaluated(self) -> Int64Array:
        """Rows that the search never came to: enough nodes were found before, or the nomination fitted."""
        seen = [self.cycle.feasible, np.array(list(self.first_failures), np.int64)]
        return np.setdiff1d(self.cycle.snapshot.columns.all_rows, np.concatenate(seen))

    @cached_property
    def everywhere(self) -> Filtered:
        """Every filter on every node, also where the search stopped earlier; nominated pods not counted."""
        return run_filters(self.cycle, self.cycle.snapshot.columns.all_rows)

    def all_failures(self, row: int) -> list[Status]:
        """Every filter that refuses a node by itself, in order; the search stops at the first."""
        cycle = self.cycle
        has_state = not cycle.pre_filter_status.is_rejected and cycle.failed_phase != "PreFilter"
        return self.everywhere.failures_of(row) if has_state else []

    # --- scores -------------------------------------------------------------------------------------------------------

    @property
    def scoring_bypassed(self) -> bool:
        """One feasible node is taken unscored; the scores given here are for information."""
        return len(self.cycle.found.feasible) == 1

    @cached_property
    def scores(self) -> Scores | None:
        """The three layers and the sum. Also computed where the attempt itself needed no scores."""
        cycle = self.cycle
        if cycle.error or not len(cycle.found.feasible):
            return None
        if cycle.scores is not None and cycle.scores.raw:
            return cycle.scores
        return self._informative_scores()

    def _informative_scores(self) -> Scores | None:
        """What a single feasible node would score; None where that fails, which changes nothing for the attempt."""
        cycle = self.cycle
        if cycle.scoring is None:
            cycle.score_feasible()
        failed, cycle.error, cycle.failed_phase = bool(cycle.error), "", ""
        try:
            return None if failed else cycle.sum_up()
        except (ScoreError, PluginError):
            return None

    @property
    def algorithms(self) -> list[Algorithm]:
        """All scoring algorithms of the profile in order, skipped ones included, then the extra scores."""
        cycle = self.cycle
        rows = [
            Algorithm(
                plugin.name,
                cycle.profile.weight(plugin.name) or 1,
                plugin.implements("normalize"),
                plugin.lower_is_better,
                plugin.name in cycle.skipped_scores,
                plugin.whole_list,
            )
            for plugin in cycle.at("score")
        ]
        return rows + [Algorithm(one.name, one.weight, False, False, False, True) for one in cycle.extra_scores]

    @property
    def layers(self) -> dict[str, Mapping[str, Int64Array]]:
        """raw, normalized, weighted: algorithm → int64 over `feasible`."""
        scores = self.scores
        if scores is None:
            return {"raw": {}, "normalized": {}, "weighted": {}}
        weighted = {name: scores.weighted(name) for name in scores.normalized}
        return {"raw": scores.raw, "normalized": scores.normalized, "weighted": weighted}

    # --- phases -------------------------------------------------------------------------------------------------------

    @cached_property
    def phases(self) -> list[PhaseNote]:
        """PreFilter to Select, or to PostFilter for a pod that fits nowhere. Pop and Bind are the queue's business."""
        found, cycle = len(self.cycle.found.feasible), self.cycle
        notes = [self._pre_filter_note(), PhaseNote("Filter", "done", f"{found} of {count(len(self.names), 'node')}")]
        if cycle.pre_filter_status.is_rejected:
            notes[1] = PhaseNote("Filter", "skip")
        if cycle.error:
            done = [*notes, *(self._score_notes() if found else ())]
            before = [one.name for one in done]
            reached = before.index(cycle.failed_phase) if cycle.failed_phase in before else len(before)
            return [*done[:reached], PhaseNote(cycle.failed_phase, "fail", cycle.error)]
        if not found:
            said = cycle.post_filter_result.status.message if cycle.post_filter_result else ""
            return [*notes, PhaseNote("PostFilter", "done" if cycle.post_filter_result else "skip", said)]
        return notes + self._score_notes()

    def _pre_filter_note(self) -> PhaseNote:
        status, cycle = self.cycle.pre_filter_status, self.cycle
        if status.code is not Code.SUCCESS:
            return PhaseNote("PreFilter", "fail", status.message)
        if cycle.node_names is not None:
            return PhaseNote("PreFilter", "done", count(len(cycle.node_names), "node named", "nodes named"))
        return PhaseNote("PreFilter", "done", count(len(cycle.skipped_filters), "filter left out", "filters left out"))

    def _score_notes(self) -> list[PhaseNote]:
        cycle = self.cycle
        if not cycle.needs_scoring and not cycle.error:
            why = "only one node fits" if self.scoring_bypassed else "no algorithm scores"
            return [PhaseNote(name, "skip", why) for name in ("PreScore", "Map", "Reduce", "Sum", "Select")]
        done: PhaseState = "done" if cycle.scores is not None or cycle.error else "idle"
        rows = (
            sum(cycle.scoring.plugins[name].implements("normalize") for name in cycle.algorithms)
            if cycle.scoring
            else 0
        )
        ties = cycle.scores.tied if cycle.scores is not None else ()
        errors = cycle.score_errors
        cells, reduced = (errors.cell_count, len(errors.rows)) if errors else (0, 0)
        left_out = count(len(cycle.skipped_scores), "row left out", "rows left out")
        scores = count(len(cycle.found.feasible), "score")
        return [
            PhaseNote("PreScore", "done" if cycle.scoring else "idle", left_out),
            PhaseNote("Map", done, f"{len(cycle.algorithms)} × {scores}{_failed(cells)}"),
            PhaseNote("Reduce", done, f"{rows} of {count(len(cycle.algorithms), 'row')}{_failed(reduced)}"),
            PhaseNote("Sum", done, ""),
            PhaseNote("Select", done, f"{len(ties)} tied" if len(ties) > 1 else "one best node"),
        ]


def _failed(number: int) -> str:
    return f", {number} failed" if number else ""
