"""Where a result as it is shown is not exactly what its sum comes to, and in which way it was rounded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

Ratio = tuple[Any, Any]


def _mean(*inputs: Any) -> Ratio:
    pairs = list(zip(inputs[::2], inputs[1::2], strict=True))
    return sum(score * weight for score, weight in pairs), sum(weight for _, weight in pairs)


EXACT: dict[str, Callable[..., Ratio]] = {
    "share_of_range": lambda value, low, high: (100 * (value - low), high - low),
    "min_max": lambda value, low, high: (100 * (value - low), high - low),
    "image_share": lambda size, nodes, total: (size * nodes, total),
    "least_allocated": lambda requested, capacity: ((capacity - requested) * 100, capacity),
    "most_allocated": lambda requested, capacity: (min(requested, capacity) * 100, capacity),
    "percent": lambda total, percent: (total * percent, 100),
    "weighted_mean": _mean,
    "ratio_mean": _mean,
    "evenness": lambda deviation: ((1 - deviation) * 100, 1),
    "share_of_highest": lambda value, highest: (value * 100, highest),
    "fewest_first": lambda value, least, highest: (100 * (highest + least - value), highest),
}
"""Dividend and divisor of the sums that end in a whole number."""


def rounding(op: str, inputs: Sequence[Any], result: object, shown: str) -> str:
    """`rounded down`, `rounded` or `` for an exact one. `shown`: the result as it is written."""
    if isinstance(result, float) and math.isfinite(result):
        written = float(shown.strip("()").replace("−", "-"))
        return "" if written == result else "rounded to six digits"
    if op not in EXACT or not isinstance(result, int):
        return ""
    above, below = EXACT[op](*inputs)
    if not below:
        return ""
    left = round(above / below - result, 9)  # a fraction of a float's last digit is not seen
    return "rounded down" if 0 < left < 1 else "rounded" if -1 < left < 0 else ""
