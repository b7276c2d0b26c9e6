"""Which change of one weight would send a pod to another node: the smallest whole number, computed and then tried.

With all other weights as they are, every total is a straight line over one algorithm's weight. So the weights at which
a node is among the best are an interval, and it is tied with a node that it is not always equal to only at its ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.cycle.decision import Decision
from scheduler.engine.cycle.scores import Scores, choose
from scheduler.engine.framework import Int64Array
from scheduler.engine.profile import Profile

HIGHEST_WEIGHT = 2**31 - 1
"""What a configuration can hold."""
SCANNED = 500
"""Weights each way that are looked at where a draw at each tie makes the choice depend on more than who is tied."""


@dataclass(frozen=True, slots=True)
class Flip:
    """`algorithm`'s weight `before` and `after`; 0 leaves it out of scoring."""

    algorithm: str
    before: int
    after: int

    @property
    def size(self) -> int:
        return abs(self.after - self.before)


def flips(cycle: Cycle, place: int) -> dict[str, Flip | None]:
    """For each algorithm of the profile the smallest change that makes the node at `place` of the scores the chosen
    one (of two equal ones the smaller weight); None where no weight does.
    """
    scores = cycle.scores
    assert scores is not None, "flips of a cycle without scores"
    return {name: _flip(cycle, scores, name, place) for name in scores.normalized if cycle.profile.weight(name)}


def smallest(found: dict[str, Flip | None]) -> Flip | None:
    """The least change of all; of equal ones the first algorithm's."""
    return min((one for one in found.values() if one is not None), key=lambda one: one.size, default=None)


def tried(cycle: Cycle, flip: Flip) -> Decision:
    """The decision of the same attempt, on the same state, under the changed weight; nothing else is changed."""
    again = Cycle(
        cycle.snapshot,
        _reweighted(cycle, flip),
        cycle.pod,
        number=cycle.number,
        seed=cycle.seed,
        start_index=cycle.start_index,
        nominated=cycle.nominated,
        percentage=cycle.percentage,
        extra_scores=cycle.extra_scores,
        draws_nomination=cycle.draws_nomination,
        draws_at_each_tie=cycle.draws_at_each_tie,
        collects_errors=cycle.score_errors is not None,
    )
    again.pre_filter()
    again.filter()
    again.pre_score()
    return again.finish_here()


def _reweighted(cycle: Cycle, flip: Flip) -> Profile:
    profile = cycle.profile
    if flip.after:
        return msgspec.structs.replace(profile, weights={**profile.weights, flip.algorithm: flip.after})
    left = {
        name: tuple(one for one in profile.enabled(name) if one != flip.algorithm) for name in ("score", "preScore")
    }
    weights = {name: weight for name, weight in profile.weights.items() if name != flip.algorithm}
    return msgspec.structs.replace(profile, plugins={**profile.plugins, **left}, weights=weights)


def _flip(cycle: Cycle, scores: Scores, name: str, place: int) -> Flip | None:
    row, before = scores.normalized[name], scores.weights[name]
    rest = scores.totals - row * before
    found = _interval(rest, row, place, 0 if len(cycle.profile.enabled("score")) > 1 or cycle.extra_scores else 1)
    if found is None:
        return None
    for weight in _nearest(cycle, *found, before):
        if weight != before and _chosen(cycle, scores, rest + row * weight) == place:
            return Flip(name, before, weight)
    return None


def _interval(rest: Int64Array, row: Int64Array, place: int, least: int) -> tuple[int, int] | None:
    """The lowest and highest weight ≥ `least` at which no node is ahead of `place`; None if there is none.

    Who alone scores cannot be left out: then nothing would be chosen by score at all.
    """
    ahead, slope = rest[place] - rest, row[place] - row
    if (ahead[slope == 0] < 0).any():
        return None
    rising, falling = slope > 0, slope < 0
    lowest = max(least, int((-(ahead[rising] // slope[rising])).max(initial=0)))
    highest = int((ahead[falling] // -slope[falling]).min(initial=HIGHEST_WEIGHT))
    return (lowest, highest) if lowest <= highest else None


def _nearest(cycle: Cycle, lowest: int, highest: int, before: int) -> list[int]:
    """The weights that may be the answer, nearest first: the ends, where ties change, and the first beside them."""
    found = set(_steps(lowest, highest, before, SCANNED if cycle.draws_at_each_tie else 1))
    return sorted(found, key=lambda weight: (abs(weight - before), weight))


def _steps(lowest: int, highest: int, before: int, reach: int) -> Iterator[int]:
    for start in (lowest, highest, before):
        yield from range(max(lowest, start - reach), min(highest, start + reach) + 1)


def _chosen(cycle: Cycle, scores: Scores, totals: Int64Array) -> int:
    return choose(cycle, scores.raw, scores.normalized, scores.weights, totals).winner
