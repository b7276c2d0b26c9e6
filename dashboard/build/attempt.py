"""One cycle as far as it is shown: computed again from the state of its Pop, never beyond the phase reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dashboard.build.records import CycleRecord
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.phases import PHASES
from scheduler.engine.cycle.score_errors import ScoreErrors
from scheduler.engine.cycle.scores import Scores
from scheduler.engine.errors import PluginError
from scheduler.engine.explain.trace import Trace
from scheduler.engine.framework import Int64Array, Plugin

FIRST_SHOWN = PHASES.index("Pop")


@dataclass
class Attempt:
    """`cycle` has been run up to `reached` (an index into PHASES); `report`: how it was executed, {} if unknown."""

    cycle: Cycle
    record: CycleRecord
    reached: int
    report: dict[str, Any] = field(default_factory=dict)

    def shows(self, phase: str) -> bool:
        return PHASES.index(phase) <= self.reached

    @property
    def is_open(self) -> bool:
        return self.record.decision is None

    @property
    def lost(self) -> str:
        """Why a cycle that ended otherwise cannot be computed again: an algorithm has gone since. "" if it can."""
        recorded = self.record.decision
        return self.cycle.error if recorded is not None and recorded.outcome != "error" else ""

    @cached_property
    def scorers(self) -> list[Plugin]:
        """The algorithms of the profile that score, skipped ones included, in order."""
        return list(self.cycle.at("score"))

    @cached_property
    def names(self) -> list[str]:
        """Columns of the matrix: the profile's algorithms, then extra scores."""
        return [plugin.name for plugin in self.scorers] + [one.name for one in self.cycle.extra_scores]

    @cached_property
    def feasible_names(self) -> list[str]:
        return self.trace.feasible

    @cached_property
    def trace(self) -> Trace:
        return self.cycle.trace

    @property
    def scored(self) -> bool:
        """Whether nodes were scored: also where that went on after errors, or where what came after it failed."""
        cycle = self.cycle
        failed_after = cycle.scores is not None and len(cycle.found.feasible) > 1 and cycle.scores_at_all
        return cycle.needs_scoring or bool(cycle.error and (cycle.score_errors or failed_after))

    @cached_property
    def errors(self) -> ScoreErrors:
        """What was collected while nodes were scored, as far as it is shown."""
        found = self.cycle.score_errors
        if found is None or not self.scored or not self.shows("Map"):
            return ScoreErrors()
        _computed = self.normalized if self.shows("Reduce") else self.raw
        return found

    @cached_property
    def raw(self) -> dict[str, Int64Array]:
        if self.scores is not None:
            return dict(self.scores.raw)
        if self.cycle.scoring is None or not self.scored:
            return {}
        try:
            return self.cycle.map_all()
        except PluginError as problem:
            self.cycle.fail("Map", str(problem))
            return {}

    @cached_property
    def normalized(self) -> dict[str, Int64Array]:
        if self.scores is not None:
            return dict(self.scores.normalized)
        try:
            rows = {name: self.cycle.reduce(name, row) for name, row in self.raw.items()}
            failed = self.cycle.score_errors.rows if self.cycle.score_errors else {}
            return {name: row for name, row in rows.items() if name not in failed}
        except PluginError as problem:
            self.cycle.fail("Reduce", str(problem))
            return {}

    @property
    def scores(self) -> Scores | None:
        """Totals and the draw, once Sum is shown and there was anything to add up."""
        return self.cycle.scores if self.scored else None

    def weight(self, name: str) -> int:
        extra = next((one.weight for one in self.cycle.extra_scores if one.name == name), None)
        return (self.cycle.profile.weight(name) or 1) if extra is None else extra

    def layer(self, values: dict[str, Int64Array], *, weighted: bool = False) -> Sequence[Int64Array | None]:
        """A layer of the matrix, parallel to `names`: None where an algorithm did not score."""
        rows = (values.get(name) for name in self.names)
        if not weighted:
            return list(rows)
        return [None if row is None else row * self.weight(name) for name, row in zip(self.names, rows, strict=True)]


def attempt(cycle: Cycle, record: CycleRecord, report: dict[str, Any] | None) -> Attempt:
    """Run a fresh `cycle` as far as `record` says that it is shown."""
    finished = record.decision is not None
    reached = len(PHASES) - 1 if finished else max(FIRST_SHOWN, _index(record.phase))
    made = Attempt(cycle, record, reached, report or {})
    steps = (("PreFilter", cycle.pre_filter), ("Filter", cycle.filter), ("PreScore", cycle.pre_score))
    for phase, step in steps:
        if made.shows(phase):
            step()
    if made.shows("Sum"):
        cycle.finish_here()
    return made


def _index(phase: str) -> int:
    return PHASES.index(phase) if phase in PHASES else -1
