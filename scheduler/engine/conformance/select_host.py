"""How kube-scheduler v1.34.1 chooses among ties: a walk over a heap. The cycle draws once, with the same distribution.

Source: schedule_one.go selectHost, Go's container/heap.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler.engine.cycle.select import Intn


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


def _sink(heap: list[int], scores: Sequence[int], parent: int, size: int) -> None:
    """container/heap's `down` for a heap whose least element is the highest score."""
    while (child := 2 * parent + 1) < size:
        if child + 1 < size and scores[heap[child + 1]] > scores[heap[child]]:
            child += 1
        if scores[heap[child]] <= scores[heap[parent]]:
            return
        heap[parent], heap[child] = heap[child], heap[parent]
        parent = child


def heap_walk(scores: Sequence[int], intn: Intn) -> int:
    """The winner's place: pop while the score ties, and let each further tie replace the choice with chance 1/ties.

    Raises ValueError for an empty list.
    """
    if not scores:
        raise ValueError("empty priority list")
    order = heap_pop_order(scores)
    winner = order[0]
    for ties, place in enumerate(order[1:], 2):
        if scores[place] != scores[winner]:
            break
        if intn(ties) == 0:
            winner = place
    return winner
