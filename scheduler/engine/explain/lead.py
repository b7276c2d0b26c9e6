"""Which algorithms put a cycle's winner ahead of its rival: the one node that everything compares it with."""

from __future__ import annotations

import numpy as np

from scheduler.engine.cycle.scores import Scores
from scheduler.engine.framework import Int64Array
from scheduler.engine.words import listed

NAMED = 2


def runners_up(scores: Scores) -> Int64Array:
    """Places (int64) of all nodes with the second highest total; none where all totals are equal."""
    rest = scores.totals[scores.totals < scores.totals.max()]
    return np.flatnonzero(scores.totals == (rest.max() if len(rest) else -1))


def ranking(scores: Scores) -> Int64Array:
    """All places (int64), the highest total first, the winner before those it is tied with, else in the order found."""
    behind = np.ones(len(scores.totals), np.int8)
    behind[scores.winner] = 0
    return np.lexsort((behind, -scores.totals)).astype(np.int64)


def rival(scores: Scores) -> int | None:
    """The place of the node that comes next: the first that is tied with the winner, else the first runner-up.

    None where there is no other node.
    """
    tied = scores.tied[scores.tied != scores.winner]
    return next((int(places[0]) for places in (tied, runners_up(scores)) if len(places)), None)


def gains(scores: Scores) -> list[tuple[str, int]]:
    """(algorithm, by how many weighted points the winner is ahead of its rival), most first."""
    other = rival(scores)
    if other is None:
        return []
    rows = ((name, scores.weighted(name)) for name in scores.normalized)
    found = [(name, int(row[scores.winner] - row[other])) for name, row in rows]
    return sorted(((name, gain) for name, gain in found if gain > 0), key=lambda one: -one[1])


def cause(scores: Scores) -> str:
    """`NodeResourcesFit decided`, `mostly NodeResourcesFit decided`, of a winner that is ahead of its rival."""
    found = gains(scores)
    names, most = [name for name, _ in found], found[0][1]
    if len(found) > 1 and 2 * most > sum(gain for _, gain in found):
        return f"mostly {names[0]} decided"
    more = len(found) - NAMED
    return f"{listed(names)} decided" if more <= 0 else f"{names[0]}, {names[1]} and {more} more decided"
