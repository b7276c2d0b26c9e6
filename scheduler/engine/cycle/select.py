"""Choosing among the nodes with the highest total: three ways with one distribution, uniform over the ties.

The cycle draws once (`tied[draw]`), or where the settings say so as in v1.14 to v1.17 (reservoir sampling over the
list). The third shows how kube-scheduler v1.34.1 does it (a walk over a heap); it is for the tie panel and for tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

Intn = Callable[[int], int]
REPORTED_NODES = 3


class Replacement(NamedTuple):
    """One tie met on the walk: the `ties`-th so far, at `place` of the list, replaces the choice if `drawn` is 0."""

    ties: int
    place: int
    drawn: int


class Selection(NamedTuple):
    """`place` of the winner in the list of scores, and how it came about. `order`: places in the order met."""

    place: int
    order: tuple[int, ...]
    replacements: tuple[Replacement, ...]


def _sink(heap: list[int], scores: Sequence[int], parent: int, size: int) -> None:
    """container/heap's `down` for a heap whose least element is the highest score."""
    while (child := 2 * parent + 1) < size:
        if child + 1 < size and scores[heap[child + 1]] > scores[heap[child]]:
            child += 1
        if scores[heap[child]] <= scores[heap[parent]]:
            return
        heap[parent], heap[child] = heap[child], heap[parent]
        parent = child


def heap_pop_order(scores: Sequence[int]) -> list[int]:
    """Indices in the order in which Go's container/heap gives them out, highest score first."""
    heap = list(range(len(scores)))
    for parent in range(len(heap) // 2 - 1, -1, -1):
        _sink(heap, scores, parent, len(heap))
    order = []
    for last in range(len(heap) - 1, -1, -1):
        heap[0], heap[last] = heap[last], heap[0]
        _sink(heap, scores, 0, last)
        order.append(heap.pop())
    return order


def heap_walk(scores: Sequence[int], intn: Intn) -> Selection:
    """kube-scheduler v1.34.1 `selectHost`: pop while the score ties (at least the reported nodes), draw at each tie.

    Raises ValueError for an empty list. `order` holds the popped indices, of which the first are reported.
    """
    if not scores:
        raise ValueError("empty priority list")
    order = heap_pop_order(scores)
    popped, replacements, winner = [order[0]], list[Replacement](), order[0]
    for index in order[1:]:
        tied = scores[index] == scores[order[0]]
        if not tied and len(popped) == REPORTED_NODES:
            break
        if tied:
            replacements.append(Replacement(len(replacements) + 2, index, intn(len(replacements) + 2)))
            winner = index if replacements[-1].drawn == 0 else winner
        popped.append(index)
    return Selection(winner, tuple(popped), tuple(replacements))


def reservoir(scores: Sequence[int], intn: Intn) -> Selection:
    """The older `selectHost`: one pass over the list, each further maximum replaces the choice with chance 1/ties.

    Raises ValueError for an empty list.
    """
    if not scores:
        raise ValueError("empty priority list")
    winner, replacements = 0, list[Replacement]()
    for index in range(1, len(scores)):
        if scores[index] > scores[winner]:
            winner, replacements = index, []
        elif scores[index] == scores[winner]:
            replacements.append(Replacement(len(replacements) + 2, index, intn(len(replacements) + 2)))
            winner = index if replacements[-1].drawn == 0 else winner
    return Selection(winner, tuple(range(len(scores))), tuple(replacements))
