"""The difference of two totals as a figure: from the other node's total by each algorithm to that of the chosen one."""

import math
from typing import NamedTuple

from dashboard.payloads.why import Versus
from scheduler.engine.explain.versus import signed

LEFT, WIDTH, LINE = 30.0, 58.0, 26
"""Where bars begin and how wide they may be, in per cent of the figure; a line's height in pixels."""
LOOKS = {"total": "waterfall-total", "more": "waterfall-more", "less": "waterfall-less"}
MARGIN = 0.25
"""How much of the figure lies below the least total: totals differ by little, and bars are to show by how much."""


class Bar(NamedTuple):
    """`x` and `width` in per cent of the figure, `y` in pixels. `looks`: its class."""

    label: str
    text: str
    x: float
    width: float
    y: int
    looks: str

    @property
    def text_x(self) -> float:
        return round(self.x + self.width + 1, 2)

    @property
    def text_y(self) -> int:
        return self.y + 14


class Waterfall(NamedTuple):
    """`least`: the total at which the figure begins."""

    bars: list[Bar]
    height: int
    told: str
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
    scale = WIDTH / (max(ends) - least)
    bars = [_bar(step, at, least, scale) for at, step in enumerate(steps)]
    return Waterfall(bars, len(bars) * LINE, found["sentence"].replace("`", ""), least)


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


def _bar(step: Step, at: int, least: int, scale: float) -> Bar:
    low, high = (least if step.kind == "total" else min(step.start, step.end)), max(step.start, step.end)
    x, width = LEFT + (low - least) * scale, (high - low) * scale
    return Bar(step.label, step.text, round(x, 2), round(max(width, 0.3), 2), at * LINE + 4, LOOKS[step.kind])
