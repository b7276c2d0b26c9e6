"""The difference of two totals as a figure: from the other node's total by each algorithm to that of the chosen one."""

import math
from typing import NamedTuple

from dashboard.payloads.why import Versus
from scheduler.engine.explain.versus import signed

FULL = 100.0
"""The width of the figure that bars share, in per cent."""
LEAST = 0.5
"""A bar narrower than that could not be seen."""
LOOKS = {"total": "waterfall-total", "more": "waterfall-more", "less": "waterfall-less"}
MARGIN = 0.25
"""How much of the figure lies below the least total: totals differ by little, and bars are to show by how much."""


class Bar(NamedTuple):
    """`x` and `width` in per cent of the figure. `kind`: total, more or less."""

    label: str
    text: str
    x: float
    width: float
    kind: str

    @property
    def looks(self) -> str:
        return LOOKS[self.kind]


class Waterfall(NamedTuple):
    """`least`: the total at which the figure begins."""

    bars: list[Bar]
    least: int


class Step(NamedTuple):
    label: str
    text: str
    start: int
    end: int
    kind: str


def waterfall(found: Versus | None) -> Waterfall | None:
    """None where there is nothing to add up. Algorithms without a difference are left to the table."""
    if found is None or not any(one["points"] for one in found["parts"]):
        return None
    steps = _steps(found)
    ends = [end for step in steps for end in (step.start, step.end) if step.kind != "total"]
    span = max(max(ends) - min(ends), 1)
    least = max(0, min(ends) - math.ceil(span * MARGIN))
    scale = FULL / (max(ends) - least)
    return Waterfall([_bar(step, least, scale) for step in steps], least)


def _steps(found: Versus) -> list[Step]:
    """The largest gain first, so that the bars go up and then down."""
    total = sum(one["there"] * one["weight"] for one in found["parts"])
    steps = [Step(found["there"], str(total), 0, total, "total")]
    for one in sorted(found["parts"], key=lambda one: -one["points"]):
        if points := one["points"]:
            kind = "more" if points > 0 else "less"
            steps.append(Step(one["algorithm"], signed(points), total, total + points, kind))
            total += points
    return [*steps, Step(found["here"], str(total), 0, total, "total")]


def _bar(step: Step, least: int, scale: float) -> Bar:
    low, high = (least if step.kind == "total" else min(step.start, step.end)), max(step.start, step.end)
    width = max((high - low) * scale, LEAST)
    return Bar(step.label, step.text, min((low - least) * scale, FULL - width), width, step.kind)
