"""Which algorithms put a cycle's winner ahead of its runner-up."""

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


def gains(scores: Scores) -> list[tuple[str, int]]:
    """(algorithm, by how many weighted points the winner is ahead), most first.

    Several runners-up are one group: an algorithm counts if the winner is ahead of each of them, by its least lead.
    """
    second = runners_up(scores)
    if not len(second):
        return []
    rows = ((name, scores.weighted(name)) for name in scores.normalized)
    found = [(name, int(row[scores.winner] - row[second].max())) for name, row in rows]
    return sorted(((name, gain) for name, gain in found if gain > 0), key=lambda one: -one[1])


def cause(scores: Scores) -> str:
    """`NodeResourcesFit decided`, `mostly NodeResourcesFit decided`; where the runners-up lose it differently, so."""
    found = gains(scores)
    if not found:
        return "no algorithm alone is ahead of all of them"
    names, most = [name for name, _ in found], found[0][1]
    if len(found) > 1 and 2 * most > sum(gain for _, gain in found):
        return f"mostly {names[0]} decided"
    more = len(found) - NAMED
    return f"{listed(names)} decided" if more <= 0 else f"{names[0]}, {names[1]} and {more} more decided"
