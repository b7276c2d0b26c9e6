"""How much of the scarce resource is free on one node: nodes by amount, up to what the pod asks for."""

from itertools import pairwise

import numpy as np

from dashboard.payloads.why import FreeBar, FreeChart
from scheduler.engine.explain.why.room import Room
from scheduler.engine.framework import BoolArray
from scheduler.engine.values.quantity import format_compared

SINGLE = 12
"""Whole numbers up to this are told one by one."""
STEPS = 7


def free_chart(room: Room, rows: BoolArray) -> FreeChart:
    """Over the nodes of `rows`."""
    free = room.free[rows]
    edges = _edges(room)
    counts = np.histogram(np.minimum(free, room.asked), bins=[*edges, room.asked, room.asked + 1])[0].tolist()
    longest = max(*counts, 1)
    bars: list[FreeBar] = [
        {"label": label, "nodes": nodes, "share": nodes / longest, "fits": fits}
        for (label, fits), nodes in zip(_labels(room, edges), counts, strict=True)
    ]
    return {"resource": room.resource, "asked": room.texts(room.asked, *edges)[0], "bars": bars}


def _edges(room: Room) -> list[int]:
    """Where each bar begins, that of what the pod asks for left out."""
    step = 1 if room.asked <= SINGLE else _step(room)
    return list(range(0, room.asked, step))


def _step(room: Room) -> int:
    """A round number that divides what is asked into at most STEPS bars."""
    least = -(-room.asked // STEPS)
    if room.resource == "memory" or room.resource.startswith(("ephemeral", "hugepages")):
        return 1 << (least - 1).bit_length()
    power = int("1" + "0" * (len(str(least)) - 1))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def _labels(room: Room, edges: list[int]) -> list[tuple[str, bool]]:
    ends = [*edges[1:], room.asked]
    single = all(end - start == 1 for start, end in zip(edges, ends, strict=True))
    written = format_compared(room.resource, *edges, room.asked)
    if single:
        return [*((f"{text} free", False) for text in written[:-1]), (f"{written[-1]} or more", True)]
    first = (f"under {written[1]}", False)
    between = [(f"{start} to {end}", False) for start, end in pairwise(written[1:])]
    return [first, *between, (f"{written[-1]} or more", True)]
