"""Why one node was chosen and not another: algorithm by algorithm, in weighted points."""

from __future__ import annotations

from dataclasses import dataclass

from scheduler.engine.cycle.scores import Scores
from scheduler.engine.words import count, listed


@dataclass(frozen=True, slots=True)
class Difference:
    """What one algorithm gave two nodes: `here` and `there` are normalised scores of 0…100, `weight` is its weight."""

    algorithm: str
    weight: int
    here: int
    there: int

    @property
    def points(self) -> int:
        """By how many weighted points the first node is ahead; negative where it is behind."""
        return (self.here - self.there) * self.weight


def differences(scores: Scores, here: int, there: int) -> list[Difference]:
    """Of the nodes at two places of the scores, in the order of the algorithms. Their points add up to the margin."""
    return [
        Difference(name, scores.weights[name], int(row[here]), int(row[there]))
        for name, row in scores.normalized.items()
    ]


def told(found: list[Difference], here: str, there: str) -> str:
    """`node-1` leads `node-2` by 6: NodeResourcesFit +4, ImageLocality +3, TaintToleration −1."""
    margin = sum(one.points for one in found)
    parts = sorted((one for one in found if one.points), key=lambda one: -abs(one.points))
    if not parts:
        return f"`{here}` and `{there}` are equal in every algorithm."
    words = listed([f"{one.algorithm} {signed(one.points)}" for one in parts])
    if not margin:
        return f"`{here}` and `{there}` have the same total: {words}."
    if margin > 0:
        return f"`{here}` leads `{there}` by {count(margin, 'point')}: {words}."
    return f"`{here}` is {count(-margin, 'point')} behind `{there}`: {words}."


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"
