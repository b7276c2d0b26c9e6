"""One attempt to schedule one pod: prefilter → filter → prescore → map → reduce → sum → select.

The steps can be called one by one, so that workers can do some of them; `run()` does them all in process.
Source: kube-scheduler v1.34.1 schedule_one.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from scheduler.engine import plugins as algorithms
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.cycle.feasible import find_feasible
from scheduler.engine.cycle.filtering import Filtered
from scheduler.engine.cycle.outcome import bound, failed, no_nodes, refused
from scheduler.engine.cycle.phases import phase_of
from scheduler.engine.cycle.post_filtering import run_post_filters
from scheduler.engine.cycle.pre_filtering import run_pre_filters
from scheduler.engine.cycle.pre_scoring import prepare_scoring
from scheduler.engine.cycle.prepared import ExtraScore, Scoring
from scheduler.engine.cycle.score_errors import CellErrors, ScoreErrors
from scheduler.engine.cycle.scores import ScoreError, Scores, add_up
from scheduler.engine.cycle.search import Search, feasible_nodes_to_find
from scheduler.engine.cycle.totals import total_up
from scheduler.engine.errors import PluginError
from scheduler.engine.explain.trace import Trace
from scheduler.engine.framework import Int64Array, Plugin, PostFilterResult, Status
from scheduler.engine.objects import Pod
from scheduler.engine.profile import Profile

_NOWHERE = Search(np.zeros(0, np.int64), np.zeros(0, np.int64), -1)


class Cycle:
    """One attempt. `nominated`: pods that wait for a node, by its name; `percentage` overrides the profile's.

    `draws_nomination`: of nodes that preemption cannot tell apart one is drawn, else the first by name is taken.
    `draws_at_each_tie`: the choice among the best is a reservoir over the list, as in v1.14 to v1.17, else one draw.
    `collects_errors`: scoring goes on after an error, and all are reported together, as in v1.14 to v1.17; else the
    first one ends it. `score_errors` are those so far, None where none are collected.

    After `filter()`: `feasible` are the rows that passed, in the order found, and `needs_scoring` says whether map and
    reduce will be asked for. `state` is free space for the algorithms, by their name.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        profile: Profile,
        pod: Pod | PodInfo,
        *,
        number: int = 0,
        seed: int = 0,
        start_index: int = 0,
        nominated: Mapping[str, Sequence[Pod]] | None = None,
        percentage: int | None = None,
        extra_scores: Iterable[ExtraScore] = (),
        draws_nomination: bool = False,
        draws_at_each_tie: bool = False,
        collects_errors: bool = False,
    ) -> None:
        self.snapshot, self.profile = snapshot, profile
        self.pod = _info(pod)
        self.number, self.seed, self.start_index = number, seed, start_index
        self.nominated = nominated or {}
        self.percentage = profile.percentage_of_nodes_to_score if percentage is None else percentage
        self.extra_scores = tuple(extra_scores)
        self.draws_nomination, self.draws_at_each_tie = draws_nomination, draws_at_each_tie
        self.line_up = algorithms.line_up(profile)
        self.asked = self.line_up.of(self.pod)
        self.state: dict[str, Any] = {}
        self.instead_of_filter: dict[str, Status] = {}
        self.skipped_filters: list[str] = []
        self.skipped_scores: list[str] = []
        self.narrowed_by: list[str] = []
        self.node_names: frozenset[str] | None = None
        self.pre_filter_status = Status()
        self.filtered: Filtered | None = None
        self.found = _NOWHERE
        self.own_nomination: tuple[int, Status] | None = None
        self.next_start_index = start_index
        self.post_filter_result: PostFilterResult | None = None
        self.scoring: Scoring | None = None
        self.scores: Scores | None = None
        self.score_errors = ScoreErrors() if collects_errors else None
        self.error, self.failed_phase = "", ""
        self.decision: Decision | None = None

    def run(self) -> Decision:
        """The whole attempt in process."""
        self.pre_filter()
        self.filter()
        self.pre_score()
        return self._end(lambda: total_up(self))

    def map_and_reduce(self) -> tuple[dict[str, Int64Array], dict[str, Int64Array]]:
        """Raw and normalised rows of all algorithms; empty where nothing is to be scored."""
        if self.scoring is None or self.error:
            return {}, {}
        raw = self.map_all()
        return raw, {name: self.reduce(name, row) for name, row in raw.items()}

    # --- PreFilter ----------------------------------------------------------------------------------------------------

    def pre_filter(self) -> None:
        """Ask every algorithm once about the pod; some leave Filter out, some narrow the nodes, some refuse it."""
        if fault := self.line_up.fault or self.asked.fault:
            self.fail("PreFilter", fault)
            return
        try:
            run_pre_filters(self)
        except PluginError as problem:
            self.fail("PreFilter", str(problem))

    # --- Filter -------------------------------------------------------------------------------------------------------

    @property
    def active_filters(self) -> list[Plugin]:
        """The filters that run for this pod, in order."""
        return [one for one in self.asked.filters if one.name not in self.skipped_filters]

    def filter(self) -> None:
        """Find the feasible nodes."""
        if self.error or not self.pre_filter_status.is_success or not len(self.snapshot):
            return
        try:
            find_feasible(self)
        except PluginError as problem:
            self.fail("Filter", str(problem))

    def nodes_to_find(self, candidates: int) -> int:
        """How many feasible nodes are enough."""
        return feasible_nodes_to_find(self.percentage, candidates) if self.scores_at_all else min(1, candidates)

    @property
    def scores_at_all(self) -> bool:
        return bool(self.profile.enabled("score") or self.extra_scores)

    @property
    def feasible(self) -> Int64Array:
        """Rows of the nodes that passed, in the order found."""
        if self.filtered is None:
            return _NOWHERE.feasible
        rows, found = self.filtered.rows, self.found.feasible
        in_order = 0 < len(found) == len(rows) and self.start_index % len(rows) == 0
        return rows if in_order else rows[found]

    def fork(self, added: Mapping[int, list[PodInfo]], removed: Mapping[int, list[PodInfo]]) -> Cycle:
        """This attempt on a cluster in which pods came to some rows or left them. The algorithms' state is copied."""
        other = self._copy()
        other.snapshot = self.snapshot.patched(added, removed)
        other.state = {name: part.clone() if hasattr(part, "clone") else part for name, part in self.state.items()}
        for plugin in other.active_filters:
            if plugin.name in self.line_up.unprepared["filter"]:
                continue
            for row in {**added, **removed}:
                plugin.pods_changed(other, row, list(added.get(row, ())), list(removed.get(row, ())))
        return other

    def without_filters(self, names: Iterable[str]) -> Cycle:
        """This attempt as if these filters were left out for the pod."""
        other = self._copy()
        other.skipped_filters = [*self.skipped_filters, *names]
        return other

    def _copy(self) -> Cycle:
        other = object.__new__(Cycle)
        other.__dict__.update({name: value for name, value in self.__dict__.items() if name != "trace"})
        return other

    # --- PostFilter ---------------------------------------------------------------------------------------------------

    def post_filter(self) -> PostFilterResult:
        """What PostFilter algorithms can do for a pod that fits nowhere."""
        return run_post_filters(self)

    # --- scoring ------------------------------------------------------------------------------------------------------

    @property
    def needs_scoring(self) -> bool:
        """Whether there is anything to choose between."""
        return not self.error and len(self.found.feasible) > 1 and self.scores_at_all

    def pre_score(self) -> None:
        """Ask every algorithm once more, now that the feasible nodes are known; some leave their row out."""
        if self.needs_scoring:
            self.score_feasible()

    def score_feasible(self) -> None:
        """Prepare map and reduce, also where a single feasible node makes them needless (for screens)."""
        try:
            self.scoring = prepare_scoring(self)
        except PluginError as problem:
            self.fail("PreScore", str(problem))

    @property
    def algorithms(self) -> list[str]:
        """The rows of the matrix: algorithms that score this pod, in order."""
        return self.scoring.algorithms if self.scoring is not None else []

    def prepared(self) -> Scoring:
        """What map and reduce need, picklable without the cluster. Raises ValueError before `pre_score`."""
        if self.scoring is None:
            raise ValueError("nothing to score: the cycle has no prepared algorithms")
        return self.scoring.slim()

    @property
    def whole_lists(self) -> list[str]:
        """Those of the algorithms that score all feasible nodes at once."""
        return self.scoring.whole_lists if self.scoring is not None else []

    def map(self, first: int, last: int) -> dict[str, Int64Array]:
        """Raw scores of the feasible nodes first…last-1, by algorithm but for whole lists. int64 of (last - first,)."""
        return self.scoring.map(first, last, self._cells) if self.scoring is not None else {}

    def map_whole(self, algorithm: str) -> dict[str, Int64Array]:
        """The raw row of one that scores all feasible nodes at once, under its name. int64 of (len(feasible),)."""
        assert self.scoring is not None, "map before pre_score"
        return self.scoring.map_whole(algorithm, self._cells)

    def map_all(self) -> dict[str, Int64Array]:
        """The raw rows of all algorithms, in order."""
        return self.scoring.map_all(self._cells) if self.scoring is not None else {}

    @property
    def _cells(self) -> CellErrors | None:
        return None if self.score_errors is None else self.score_errors.cells

    def reduce(self, algorithm: str, raw: Int64Array) -> Int64Array:
        """The normalised row of an algorithm. int64 of shape (len(feasible),).

        Where errors are collected, a row whose reduce fails stays as it is.
        """
        assert self.scoring is not None, "reduce before pre_score"
        try:
            return self.scoring.reduce(algorithm, raw)
        except PluginError as problem:
            if self.score_errors is None:
                raise
            self.score_errors.rows[algorithm] = str(problem)
            return raw

    # --- the end ------------------------------------------------------------------------------------------------------

    def finish(self, raw: Mapping[str, Int64Array], normalized: Mapping[str, Int64Array]) -> Decision:
        """Weights, sum, draw among ties; or, where nothing fits, PostFilter and the message."""
        return self._end(lambda: add_up(self, raw, normalized))

    def _end(self, score: Callable[[], Scores]) -> Decision:
        self.decision = self._decide(score)
        return self.decision

    def _decide(self, score: Callable[[], Scores]) -> Decision:
        if not len(self.snapshot):
            return no_nodes(self)
        if self.error:
            return failed(self)
        try:
            if len(self.found.feasible):
                self.scores = score()
                return bound(self)
            if self.profile.enabled("postFilter"):
                self.post_filter_result = self.post_filter()
            return refused(self)
        except (ScoreError, PluginError) as problem:
            self.fail(phase_of(problem) if len(self.found.feasible) else "PostFilter", str(problem))
            return failed(self)

    def finish_here(self) -> Decision:
        """`finish` with map and reduce in this process, nothing kept from other pods."""
        return self._end(lambda: add_up(self, *self.map_and_reduce()))

    def sum_up(self) -> Scores:
        """Map, reduce and sum once more without deciding, for screens. Raises ScoreError or PluginError."""
        return add_up(self, *self.map_and_reduce())

    def fail(self, phase: str, message: str) -> None:
        """An internal error: nothing more is decided."""
        self.error, self.failed_phase = message, phase

    @cached_property
    def trace(self) -> Trace:
        """Everything that a screen shows of this attempt. Ask for it when the attempt has ended."""
        return Trace(self)

    def at(self, point: str) -> tuple[Plugin, ...]:
        """The algorithms that the profile runs at an extension point and that are here, in order."""
        return self.line_up.points[point]


def _info(pod: Pod | PodInfo) -> PodInfo:
    return pod if isinstance(pod, PodInfo) else PodInfo(pod)
