"""The virtual clock, and the moments at which periodic jobs tick. Nothing here reads the time of the machine."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from scheduler.engine.simulation.settings import SECOND_US

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LATEST_US = 253_370_764_800 * SECOND_US
"""The year 9999: no clock is set beyond, since the API writes years with four digits. Runs have that year left."""
_FIRST_US, _BEYOND_US = -62_135_596_800 * SECOND_US, 253_402_300_800 * SECOND_US
_LONGEST_US = (2**63 - 1) // 1000
_UNITS_US = {"h": 3600 * SECOND_US, "m": 60 * SECOND_US, "s": SECOND_US, "ms": 1000, "us": 1, "µs": 1}
_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(h|ms|m|s|us|µs)")


class Clock:
    """Virtual µs since the Unix epoch; moved only by events and by the commands that decide them."""

    __slots__ = ("now_us",)

    def __init__(self, now_us: int = 0) -> None:
        self.now_us = now_us


def first_tick_from(at_us: int, period_us: int, origin_us: int = 0) -> int:
    """The first moment `origin + k·period` that is not earlier than `at_us`."""
    return at_us + (origin_us - at_us) % period_us


def duration_us(text: str) -> int | None:
    """A Go duration (`90s`, `1h30m`, `250ms`) in µs; None where it is none, not positive, or beyond 292 years."""
    parts = _PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    size = sum(float(number) * _UNITS_US[unit] for number, unit in parts)
    return (round(size) or None) if size <= _LONGEST_US else None


def to_rfc3339(at_us: int) -> str:
    """`2025-01-01T00:00:04Z`, with a fraction only where there is one."""
    return (_EPOCH + timedelta(microseconds=at_us)).isoformat().replace("+00:00", "Z")


def from_rfc3339(text: str) -> int:
    """µs since the epoch of an API time. Raises ValueError, also where its year in UTC has not four digits."""
    at = datetime.fromisoformat(text)
    at_us = (at.replace(tzinfo=at.tzinfo or UTC) - _EPOCH) // timedelta(microseconds=1)
    if not _FIRST_US <= at_us < _BEYOND_US:
        raise ValueError(f"{text} lies outside the years 1 to 9999")
    return at_us
