"""Replica numbers as people write them: an integer, or a percentage of the total."""

from __future__ import annotations

import math
import re

from scheduler.engine.errors import Invalid

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)


def parse_replicas(given: int | str, total: int | None) -> int:
    """The number of replicas; halves of a percentage are rounded up. `total` None: not known.

    Raises Invalid in the controller's sense; its words are ours.
    """
    if isinstance(given, int):
        if given < 0:
            raise Invalid(f"{given} is negative")
        return given
    if total is None or total < 0:
        raise Invalid(f"{given!r} needs a total to be a part of")
    return part_of(total, _percent(given))


def part_of(total: int, percent: int) -> int:
    """In floating point, as the controller computes it."""
    return math.floor(total * percent / 100 + 0.5)


def int32(number: int) -> int:
    """As 32 bits hold it: the controller's sums run over. The webhook refuses all that is so large."""
    return (number + 2**31) % 2**32 - 2**31


def percent_of(given: int | str | None) -> int | None:
    """The percentage that is written; None for an integer, for nothing, and for what cannot be read."""
    try:
        return _percent(given) if isinstance(given, str) else None
    except Invalid:
        return None


def written(given: int | str | None, total: int | None) -> str:
    """`4`, `30% of 10`, `25% of 10, rounded`."""
    percent = percent_of(given)
    if percent is None or total is None:
        return f"{given} of {total}" if isinstance(given, str) else str(given)
    return f"{given} of {total}{', rounded' if total * percent % 100 else ''}"


def _percent(given: str) -> int:
    number = given.removesuffix("%")
    if number == given or not _INTEGER.fullmatch(number):
        raise Invalid(f"{given!r} is neither an integer nor a percentage")
    percent = int(number)
    if not 0 <= percent <= 100:
        raise Invalid(f"{given!r} is not between 0% and 100%")
    return percent


def parsed_or(given: int | str | None, total: int, absent: int) -> int:
    """`absent` where nothing is given, and 0 where what is given cannot be read: the controller only logs that."""
    if given is None:
        return absent
    try:
        return parse_replicas(given, total)
    except Invalid:
        return 0
