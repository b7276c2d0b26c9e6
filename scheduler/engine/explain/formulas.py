"""The operations of raw scores, on plain Python numbers: what the columns compute, for one node."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from scheduler.engine.arithmetic import golang
from scheduler.engine.framework import MAX_NODE_SCORE
from scheduler.engine.uniteddeployment.numbers import part_of


def _least_allocated(requested: int, capacity: int) -> int:
    return 0 if requested > capacity else (capacity - requested) * MAX_NODE_SCORE // capacity


def _most_allocated(requested: int, capacity: int) -> int:
    return min(requested, capacity) * MAX_NODE_SCORE // capacity


def truncated(dividend: int, divisor: int) -> int:
    """Go's integer division: towards zero."""
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) is (divisor < 0) else -quotient


def rounded(number: float) -> int:
    """Go's math.Round: halves away from zero."""
    whole = math.floor(abs(number))
    whole += abs(number) - whole >= 0.5
    return int(math.copysign(whole, number))


def _broken_line(requested: int, capacity: int, shape: Sequence[Sequence[int]]) -> int:
    used = MAX_NODE_SCORE if requested > capacity else requested * MAX_NODE_SCORE // capacity
    for place, (utilization, score) in enumerate(shape):
        if used <= utilization:
            if place == 0:
                return score
            before, at_before = shape[place - 1]
            return at_before + truncated((score - at_before) * (used - before), utilization - before)
    return shape[-1][1]


def _pairs(inputs: Sequence[int]) -> list[tuple[int, int]]:
    """(score, weight) from a flat list."""
    return list(zip(inputs[::2], inputs[1::2], strict=True))


def _weighted_mean(*inputs: int) -> int:
    pairs = _pairs(inputs)
    return sum(score * weight for score, weight in pairs) // max(1, sum(weight for _, weight in pairs))


def _ratio_mean(*inputs: int) -> int:
    """Scores of 0 do not count."""
    pairs = [(score, weight) for score, weight in _pairs(inputs) if score > 0]
    if not pairs:
        return 0
    return rounded(float(sum(score * weight for score, weight in pairs)) / float(sum(weight for _, weight in pairs)))


def _deviation(*fractions: float) -> float:
    """Half the difference for two; the standard deviation for more; 0 for fewer."""
    if len(fractions) == 2:
        return abs((fractions[0] - fractions[1]) / 2)
    if len(fractions) < 2:
        return 0.0
    mean = _sum(*fractions) / float(len(fractions))
    return math.sqrt(_sum(*((fraction - mean) * (fraction - mean) for fraction in fractions)) / float(len(fractions)))


def _sum(*numbers: Any) -> Any:
    """In the given order; Python's own `sum` of floats compensates, Go's does not."""
    total = numbers[0] if numbers else 0
    for number in numbers[1:]:
        total = total + number
    return total


FORMULAS: dict[str, Callable[..., Any]] = {
    "value": lambda value: value,
    "sum": _sum,
    "multiply": lambda a, b: a * b,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "round": rounded,
    "smaller": min,
    "larger": max,
    "beyond": lambda a, b: max(a - b, 0),
    "percent": part_of,
    "quotient": lambda a, b: a // b,
    "remainder": lambda a, b: a % b,
    "one_of_last": lambda place, count, last: int(place > count - last),
    "clip": lambda value, low, high: max(min(value, high), low),
    "share_of_range": lambda value, low, high: MAX_NODE_SCORE * (value - low) // (high - low),
    "image_share": lambda size, nodes, total: int(float(size) * (float(nodes) / float(total))),
    "least_allocated": _least_allocated,
    "most_allocated": _most_allocated,
    "broken_line": _broken_line,
    "weighted_mean": _weighted_mean,
    "ratio_mean": _ratio_mean,
    "fraction": lambda requested, capacity: min(1.0, float(requested) / float(capacity)),
    "deviation": _deviation,
    "evenness": lambda deviation: int((1 - deviation) * float(MAX_NODE_SCORE)),
    "domain_weight": lambda domains: golang.log(float(domains + 2)),
    "spread_term": lambda pods, weight, max_skew: float(pods) * weight + float(max_skew - 1),
}
