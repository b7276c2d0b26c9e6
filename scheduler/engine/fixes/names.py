"""Names for objects that are added."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

LONGEST = 63


def fresh_node(cycle: Cycle, like: str, number: int = 1) -> str:
    """A name that no node has: `node-1-copy`, then `node-1-copy-2`. `number`: for several at once, from 1 on."""
    taken = cycle.snapshot.kind("Node")
    stem = f"{like[: LONGEST - 12].rstrip('-.')}-copy"
    names = (stem if turn == 1 else f"{stem}-{turn}" for turn in count(1))
    free = (name for name in names if name not in taken)
    for _ in range(number - 1):
        next(free)
    return next(free)
