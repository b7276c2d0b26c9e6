"""The split over subsets for every number of replicas: what the allocator answers, drawn as columns."""

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from dashboard.build.united.colours import subset_colour
from dashboard.build.united.names import numbered
from scheduler.engine.uniteddeployment.allocation import AllocationError
from scheduler.engine.uniteddeployment.allocators import allocate
from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.spec import UnitedDeployment

LEAST, COLUMNS = 12, 24
LEFT, TOP, BOTTOM, WIDTH, HEIGHT = 34, 30, 160, 540, 190
NUMBERS, DIGIT = 6, 7
APART = 24  # more subsets than these cannot be told apart in a column


def splits(ud: UnitedDeployment, done: Pass) -> list[tuple[int, dict[str, int] | None]]:
    """(replicas, number by subset), from 0 to twice what is wished; None where the numbers contradict one another."""
    wished = ud.spec.replicas or 0
    step = _round(2 * wished / COLUMNS)
    most = max(LEAST, 2 * wished)
    numbers = sorted({*range(0, most + 1, step), wished})
    return [(number, _split(ud, done, number)) for number in numbers]


def _split(ud: UnitedDeployment, done: Pass, replicas: int) -> dict[str, int] | None:
    sized = msgspec.structs.replace(ud, spec=msgspec.structs.replace(ud.spec, replicas=replicas))
    try:
        return allocate(sized, done.existing, done.detected).replicas
    except AllocationError:
        return None


def curve(ud: UnitedDeployment, done: Pass) -> dict[str, Any]:
    """Columns with their rectangles, in units of the drawing."""
    found = splits(ud, done)
    top = max(1, *(sum(split.values()) for _, split in found if split is not None), 1)
    wide = (WIDTH - LEFT) / len(found)
    columns = [_column(place, wide, top, number, split) for place, (number, split) in enumerate(found)]
    now = ud.spec.replicas or 0
    at = next(place for place, one in enumerate(columns) if one["replicas"] == now)
    every = max(1, math.ceil(DIGIT * (len(str(found[-1][0])) + 1) / wide))  # closer labels would touch
    for place, one in enumerate(columns):
        one["is_now"], one["has_label"] = place == at, (place - at) % every == 0
        one["label_x"] = min(one["middle"], WIDTH - DIGIT * len(str(one["replicas"])) / 2)
    columns[at]["text_y"] = _above(columns, at)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "columns": columns,
        "lines": [{"value": value, "y": _y(value, top), "text_y": _y(value, top) + 4} for value in _ticks(top)],
        "has_wrong": any(one["is_wrong"] for one in columns),
        "is_merged": len(found[0][1] or ()) > APART,
    }


def _column(place: int, wide: float, top: int, replicas: int, split: dict[str, int] | None) -> dict[str, Any]:
    left, base = LEFT + place * wide, sum((split or {}).values())
    return {
        "replicas": replicas,
        "x": round(left + 2, 1),
        "width": round(wide - 4, 1),
        "middle": round(left + wide / 2, 1),
        "bars": _bars(list((split or {}).values()), top),
        "top": round(_y(base, top) - 4, 1),
        "text_y": round(_y(base, top) - 9, 1),
        "mark_x": round(left, 1),
        "mark_width": round(wide, 1),
        "high": round(BOTTOM - _y(base, top) + 5, 1),
        "told": "contradiction" if split is None else numbered(split),
        "short": "" if split is None or len(split) > NUMBERS else " ".join(map(str, split.values())),
        "is_wrong": split is None,
    }


def _bars(numbers: Sequence[int], top: int) -> list[dict[str, Any]]:
    """One on the other, of each subset its own; of very many subsets one for all of them."""
    coloured = [(subset_colour(index), number) for index, number in enumerate(numbers)]
    bars, base = [], 0
    for colour, number in coloured if len(numbers) <= APART else [("all", sum(numbers))]:
        if number > 0:
            high, low = _y(base + number, top), _y(base, top)
            bars.append({"colour": colour, "y": round(high, 1), "height": round(max(low - high - 1, 1), 1)})
            base += number
    return bars


def _above(columns: Sequence[dict[str, Any]], at: int) -> float:
    """Where the numbers of a column stand: above all bars that they reach over."""
    half = DIGIT * len(columns[at]["short"]) / 2
    middle = columns[at]["middle"]
    under = [one["text_y"] for one in columns if abs(one["middle"] - middle) < half + one["width"] / 2]
    return float(min([columns[at]["text_y"], *under]))


def _y(value: int, top: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * value / top


def _ticks(top: int) -> Sequence[int]:
    return range(0, top + 1, _round(top / 4))


def _round(least: float) -> int:
    """The next of 1, 2, 5, 10, 20, 50 …"""
    size = 10 ** max(0, math.ceil(math.log10(least)) - 1) if least > 1 else 1
    return next(one * size for one in (1, 2, 5, 10) if one * size >= least)
