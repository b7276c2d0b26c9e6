"""From a raw score to what is added up: the operations of reduce, and the steps of the scales that algorithms share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler.engine.framework import MAX_NODE_SCORE, Int64Array, Step
from scheduler.engine.words import count


def _share_of_highest(raw: int, highest: int) -> int:
    """Where the highest is 0, all are."""
    return raw if highest == 0 else raw * MAX_NODE_SCORE // highest


def _min_max(raw: int, lowest: int, highest: int) -> int:
    """Where all scores are equal, nobody gets anything."""
    if highest == lowest:
        return 0
    return int(float(MAX_NODE_SCORE) * (float(raw - lowest) / float(highest - lowest)))


def _fewest_first(raw: int, lowest: int, highest: int) -> int:
    return MAX_NODE_SCORE if highest == 0 else MAX_NODE_SCORE * (highest + lowest - raw) // highest


SCALES: dict[str, Callable[..., Any]] = {
    "share_of_highest": _share_of_highest,
    "turned_round": lambda score: MAX_NODE_SCORE - score,
    "min_max": _min_max,
    "fewest_first": _fewest_first,
}


def default_scale(scores: Int64Array, place: int, *, reverse: bool = False) -> list[Step]:
    """What `framework.default_normalize` does to one score of the row. `place`: its index."""
    raw, highest = int(scores[place]), int(scores.max())
    share = _share_of_highest(raw, highest)
    steps = [_of_all("highest", highest, scores), Step("share", "share_of_highest", (raw, "highest"), share)]
    return [*steps, Step("normalised", "turned_round", ("share",), MAX_NODE_SCORE - share)] if reverse else steps


def between(scores: Int64Array, place: int) -> list[Step]:
    """0 for the lowest score of the row, 100 for the highest."""
    return _between("min_max", int(scores[place]), scores)


def fewest_first(raw: int, counted: Int64Array) -> list[Step]:
    """100 for 0, less the closer to the highest. `counted`: scores among which highest and lowest are looked for."""
    return _between("fewest_first", raw, counted)


def _between(op: str, raw: int, scores: Int64Array) -> list[Step]:
    lowest, highest = int(scores.min()), int(scores.max())
    return [
        _of_all("lowest", lowest, scores),
        _of_all("highest", highest, scores),
        Step("normalised", op, (raw, "lowest", "highest"), SCALES[op](raw, lowest, highest)),
    ]


def _of_all(name: str, number: int, scores: Int64Array) -> Step:
    return Step(name, "value", (number,), number, f"raw score of {count(len(scores), 'node')}")
