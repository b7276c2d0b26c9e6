"""The history of a UnitedDeployment over virtual time: a lane for each subset, what it was asked for, when it was held.

Numbers are units of the drawing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dashboard.build.united.colours import subset_colour
from dashboard.build.united.coming import Ahead
from dashboard.build.united.history import Moment
from dashboard.build.united.names import apart
from dashboard.build.united.told import Standing
from dashboard.text import clock
from scheduler.engine.simulation.settings import SECOND_US

TOP, THICK = 26, 22
LANES, CLOSE, ROOM = 8, 11, 16
NICE = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400)
Place = Callable[[int], float]
Span = tuple[float, float, Standing]
"""From and to in the drawing, and how things stood."""


@dataclass(frozen=True)
class Shape:
    """How a drawing is laid out. `is_narrow`: a lane has its name above it and not beside it."""

    width: int
    left: int
    right: int
    lane: int
    ticks: int
    is_narrow: bool = False

    def base(self, at: int) -> int:
        """Where a lane stands."""
        return TOP + self.lane * at + self.lane - 6


WIDE, NARROW = Shape(1280, 150, 40, 34, 8), Shape(360, 28, 28, 44, 3, is_narrow=True)


def charts(
    found: Sequence[Moment], coming: Sequence[Ahead], names: Sequence[str], now_us: int, start_us: int
) -> list[dict[str, Any]]:
    """The same twice, as there is much room or little; nothing where there is nothing to draw."""
    made = [chart(found, coming, names, now_us, start_us, shape) for shape in (WIDE, NARROW)]
    return [one for one in made if one is not None]


def chart(
    found: Sequence[Moment],
    coming: Sequence[Ahead],
    names: Sequence[str],
    now_us: int,
    start_us: int,
    shape: Shape = WIDE,
) -> dict[str, Any] | None:
    """None where no time has passed yet, or nothing was ever asked of a subset. Its text twin is the table below."""
    if not any(one.standing.split or one.standing.held for one in found):
        return None
    first, last = found[0].at_us, max([now_us, found[-1].at_us, *(one.at_us for one in coming)])
    if last - first < SECOND_US:
        return None
    scale = (shape.width - shape.left - shape.right) / (last - first)

    def place(at_us: int) -> float:
        return round(shape.left + (max(at_us, first) - first) * scale, 1)

    lanes = _lanes(found, coming, names, place, last, shape)
    bottom = TOP + shape.lane * len(lanes)
    return {
        "width": shape.width,
        "is_narrow": shape.is_narrow,
        "height": bottom + 22,
        "left": shape.left,
        "bottom": bottom,
        "lanes": lanes,
        "others": len(names) - len(lanes),
        "marks": _marks(found, place),
        "ahead": [{"x": place(one.at_us), "sign": one.sign, "text": one.text.replace("`", "")} for one in coming],
        "ticks": [
            {"x": place(at), "text": clock(at, start_us)[:8]} for at in _ticks(first, last, start_us, shape.ticks)
        ],
        "now": place(now_us),
        "first": first,
        "scale": scale,
        "text_y": bottom + 15,
    }


def _lanes(
    found: Sequence[Moment], coming: Sequence[Ahead], names: Sequence[str], place: Place, last: int, shape: Shape
) -> list[dict[str, Any]]:
    shown, short = _shown(names, found), apart(names)
    most = max([number for one in found for number in one.standing.split.values()], default=0) or 1
    until = {one.subset: one.at_us for one in coming if one.sign == "back"}
    ends = [*(one.at_us for one in found[1:]), last]
    spans = [(place(one.at_us), place(end), one.standing) for one, end in zip(found, ends, strict=True)]
    index = {name: at for at, name in enumerate(names)}
    return [
        {
            "name": name,
            "short": short[index[name]],
            "colour": subset_colour(index[name]),
            **_label(shape, at),
            **_lane(shape.base(at), name, spans, place(until.get(name, last)), most),
        }
        for at, name in enumerate(shown)
    ]


def _shown(names: Sequence[str], found: Sequence[Moment]) -> list[str]:
    """Of many subsets those that changed, in the order of the topology."""
    if len(names) <= LANES:
        return list(names)
    changes = {
        name: sum(
            before.standing.split.get(name, 0) != after.standing.split.get(name, 0)
            or (name in before.standing.held) != (name in after.standing.held)
            for before, after in pairwise(found)
        )
        for name in names
    }
    chosen = set(sorted(names, key=lambda name: -changes[name])[:LANES])
    return [name for name in names if name in chosen]


def _label(shape: Shape, at: int) -> dict[str, Any]:
    base = shape.base(at)
    if shape.is_narrow:
        return {"label_x": shape.left, "label_y": base - THICK - 5, "anchor": "start"}
    return {"label_x": shape.left - 8, "label_y": base - 5, "anchor": "end"}


def _lane(base: int, name: str, spans: Sequence[Span], back: float, most: int) -> dict[str, Any]:
    """Up to the end of the drawing, as if nothing else happened; `back`: where it is back, if it is held now."""
    path, labels = _steps(name, spans, base, most)
    held = [(left, min(right, back)) for left, right, state in spans if name in state.held]
    holds = [{"x": left, "width": round(right - left, 1)} for left, right in held]
    return {
        "base": base,
        "top": base - THICK,
        "thick": THICK,
        "path": path,
        "labels": labels,
        "holds": [one for one in holds if one["width"] > 0],
    }


def _steps(name: str, spans: Sequence[Span], base: int, most: int) -> tuple[str, list[dict[str, Any]]]:
    """The bars of a lane, and its number where it changes and there is room to write it."""
    path, last, told_at = "", None, 0.0
    labels: list[dict[str, Any]] = []
    for left, right, state in spans:
        number = state.split.get(name, 0)
        if number and right > left:
            path += f"M{left} {base}V{base - THICK * number / most:.1f}H{right}V{base}Z"
        if number != last and (last is not None or number) and (not labels or left - told_at >= ROOM):
            labels.append({"x": left + 3, "y": base - 3, "text": number})
            told_at = left
        last = number
    return path, labels


def _marks(found: Sequence[Moment], place: Place) -> list[dict[str, Any]]:
    """One for moments that lie close together: that of the heaviest."""
    marks: list[dict[str, Any]] = []
    for one in found:
        x, text = place(one.at_us), "; ".join(told.text for told in one.words).replace("`", "")
        new = {"x": x, "seq": one.seq, "sign": one.sign, "is_person": one.is_person, "text": text}
        if not marks or x - marks[-1]["x"] >= CLOSE:
            marks.append(new)
        elif one.sign != "controller" and marks[-1]["sign"] == "controller":
            marks[-1] = {**new, "text": f"{marks[-1]['text']}; {text}"}
        else:
            marks[-1]["text"] += f"; {text}"
    return [{**mark, "text": mark["text"][:300]} for mark in marks]


def _ticks(first: int, last: int, start_us: int, ticks: int) -> Sequence[int]:
    """Round moments of the cluster's clock."""
    wanted = (last - first) / ticks / SECOND_US
    step = next((one for one in NICE if one >= wanted), 86400 * max(1, round(wanted / 86400))) * SECOND_US
    begin = start_us + -(-(first - start_us) // step) * step
    return range(begin, last + 1, step)
