"""Choosing among the nodes with the highest total as kube-scheduler v1.14 to v1.17 did, where the settings say so.

Otherwise the cycle draws once (`tied[draw]`). Either way every tie wins with the same chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Intn = Callable[[int], int]


def reservoir(scores: Sequence[int], intn: Intn) -> int:
    """The winner's place: one pass over the list, each further maximum replaces the choice with chance 1/ties.

    Raises ValueError for an empty list.
    """
    if not scores:
        raise ValueError("empty priority list")
    winner, ties = 0, 1
    for place in range(1, len(scores)):
        if scores[place] > scores[winner]:
            winner, ties = place, 1
        elif scores[place] == scores[winner]:
            ties += 1
            if intn(ties) == 0:
                winner = place
    return winner
