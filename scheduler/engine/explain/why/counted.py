"""Where a sentence counts nodes otherwise than the message, which counts each at the first filter that refuses it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.explain.why.hindrances import Hindrance
from scheduler.engine.framework import BoolArray

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


def otherwise(cycle: Cycle, parts: Sequence[tuple[Hindrance, BoolArray]]) -> str:
    """A sentence where the message has other numbers for these nodes, each told under one hindrance; else ""."""
    rows, first = np.zeros(len(cycle.snapshot), np.bool_), 0
    for one, mine in parts:
        rows |= mine
        first += int((mine & _first_refused(cycle, one.plugin)).sum())
    earlier = int(rows.sum()) - first
    if not earlier:
        return ""
    if len(parts) > 1 or not first:
        return "The message has other numbers: it counts each of these nodes at the first filter that refuses it."
    others = "the other one is" if earlier == 1 else f"the other {earlier:,} are"
    return f"The message counts only {first:,} of them so: {others} refused by an earlier filter as well."


def _first_refused(cycle: Cycle, plugin: str) -> BoolArray:
    rows = np.zeros(len(cycle.snapshot), np.bool_)
    for status, refused in cycle.trace.diagnosis.all_groups():
        if status.plugin == plugin:
            rows[refused] = True
    return rows
