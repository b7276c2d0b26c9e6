"""Go durations as a configuration spells them, `1m30s`, and as Go prints them."""

from __future__ import annotations

import re

from scheduler.engine.simulation.clock import duration_us
from scheduler.engine.simulation.settings import SECOND_US

_ZERO = re.compile(r"[-+]?0*(\.0*)?(ns|us|µs|ms|s|m|h)?")
_MINUTE_US, _HOUR_US = 60 * SECOND_US, 3600 * SECOND_US


def signed_us(text: str) -> int | None:
    """Microseconds; None if the text is no duration."""
    if text and _ZERO.fullmatch(text):
        return 0
    size = duration_us(text.removeprefix("-").removeprefix("+"))
    return -size if size is not None and text.startswith("-") else size


def printed(text: str) -> str:
    """The same duration as Go prints it: `90s` is `1m30s`, `0` is `0s`."""
    micros = signed_us(text)
    if micros is None:
        return text
    sign, micros = ("-", -micros) if micros < 0 else ("", micros)
    if 0 < micros < SECOND_US:
        return f"{sign}{micros / 1000:.10g}ms" if micros >= 1000 else f"{sign}{micros}µs"
    hours, minutes, rest = micros // _HOUR_US, micros // _MINUTE_US % 60, micros % _MINUTE_US
    parts = f"{hours}h{minutes}m" if hours else f"{minutes}m" if minutes else ""
    return f"{sign}{parts}{rest / SECOND_US:.10g}s"
