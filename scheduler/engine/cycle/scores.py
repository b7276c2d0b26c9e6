"""The matrix `results[algorithm][node]` in its three layers, its sum, and the choice among the best.

Source: kube-scheduler v1.34.1 framework/runtime/framework.go, RunScorePlugins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.cycle.draw import dice, draw
from scheduler.engine.cycle.select import reservoir
from scheduler.engine.framework import MAX_NODE_SCORE, Int64Array

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


class ScoreError(ValueError):
    """An algorithm gave a score that is out of range, or there are errors that were collected."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Arrays are over the feasible nodes in the order found. `tied`: places of the highest total; `winner`: the chosen
    place, `tied[drawn]`. The weighted layer is `normalized * weight`.
    """

    raw: Mapping[str, Int64Array]
    normalized: Mapping[str, Int64Array]
    weights: Mapping[str, int]
    totals: Int64Array
    tied: Int64Array
    drawn: int
    winner: int

    def weighted(self, algorithm: str) -> Int64Array:
        return self.normalized[algorithm] * self.weights[algorithm]


def add_up(cycle: Cycle, raw: Mapping[str, Int64Array], normalized: Mapping[str, Int64Array]) -> Scores:
    """Weights, sum, draw. Raises ScoreError for collected errors, and for a score outside 0…100."""
    if cycle.score_errors:
        raise ScoreError(cycle.score_errors.message(cycle.algorithms))
    weights = {name: cycle.profile.weight(name) or 1 for name in normalized}
    for name, row in normalized.items():
        _check(name, row)
    extra = _extra(cycle)
    weights |= {one.name: one.weight for one in cycle.extra_scores if one.name in extra}
    raw, normalized = {**raw, **extra}, {**normalized, **extra}
    return choose(cycle, raw, normalized, weights, _sum(cycle, normalized, weights))


def choose(
    cycle: Cycle,
    raw: Mapping[str, Int64Array],
    normalized: Mapping[str, Int64Array],
    weights: Mapping[str, int],
    totals: Int64Array,
) -> Scores:
    """The draw among the highest totals: one, or one at each tie on the way down the list."""
    tied = (totals == totals.max()).nonzero()[0]
    drawn = 0
    if len(tied) > 1 and cycle.draws_at_each_tie:
        place = reservoir(totals.tolist(), dice(cycle.seed, cycle.number))
        drawn = int(tied.searchsorted(place))
    elif len(tied) > 1:
        drawn = draw(cycle.seed, cycle.number, 0, len(tied))
    return Scores(raw, normalized, weights, totals, tied, drawn, int(tied[drawn]))


def _extra(cycle: Cycle) -> dict[str, Int64Array]:
    if not cycle.extra_scores or cycle.scoring is None:
        return {}
    nodes = cycle.scoring.nodes
    return {one.name: one.score(cycle.scoring, nodes) for one in cycle.extra_scores}


def _sum(cycle: Cycle, normalized: Mapping[str, Int64Array], weights: Mapping[str, int]) -> Int64Array:
    count = len(cycle.found.feasible)
    if not cycle.scores_at_all:
        return np.ones(count, np.int64)
    totals = np.zeros(count, np.int64)
    for name, row in normalized.items():
        totals += row if weights[name] == 1 else row * weights[name]
    return totals


def _check(name: str, row: Int64Array) -> None:
    """One pass: negative numbers are huge when read as unsigned."""
    wrong = row.view(np.uint64) > MAX_NODE_SCORE
    if wrong.any():
        raise ScoreError(
            f'applying score defaultWeights on Score plugins: plugin "{name}" returns an invalid score '
            f"{row[int(wrong.argmax())]}, it should in the range of [0, 100] after normalizing"
        )
