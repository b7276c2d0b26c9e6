"""Calls in batches that double in size while all goes well, so that a fault shared by all is met a few times only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def batches(items: Sequence[Item], initial: int = 1) -> Iterator[Sequence[Item]]:
    """1, 2, 4, … items, as many as are left."""
    start, size = 0, min(len(items), initial)
    while size > 0:
        yield items[start : start + size]
        start += size
        size = min(2 * size, len(items) - start)


def slow_start(items: Sequence[Item], call: Callable[[Item, int], bool], initial: int = 1) -> tuple[int, bool]:
    """(calls that succeeded, whether one failed). `call(item, batch)` tells whether it did; batches count from 1.

    A batch always finishes; one failure in it stops all later ones.
    """
    successes = 0
    for number, batch in enumerate(batches(items, initial), 1):
        good = sum([call(item, number) for item in batch])
        successes += good
        if good < len(batch):
            return successes, True
    return successes, False
