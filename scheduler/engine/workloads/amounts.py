"""Numbers that may be written as a percentage of something."""

from __future__ import annotations

import math
from typing import Any

BURST = 500
"""Pods that one look makes at most; the next look goes on. Source: v1.34.1 pkg/controller/replicaset, BurstReplicas."""


def coming_of(spec: dict[str, Any]) -> int | str | None:
    """How many pods may be down while others are made (kruise's `scaleStrategy`), None where any number may."""
    given = spec.get("scaleStrategy")
    found = given.get("maxUnavailable") if isinstance(given, dict) else None
    return found if isinstance(found, int | str) else None


def amount(given: int | str | None, total: int, *, up: bool, absent: int | str = 0) -> int:
    """A percentage is rounded `up` or down; what cannot be read counts as 0."""
    value = absent if given is None else given
    if isinstance(value, int):
        return value
    number = value.removesuffix("%")
    if not number.isdecimal():
        return 0
    share = total * int(number) / 100
    return math.ceil(share) if up else math.floor(share)
