"""Since when an object is being deleted, and when its grace is over, from its manifest."""

from typing import Any

from django.utils.html import format_html

from dashboard.build.ages import aged, ahead
from dashboard.text import SECOND_US
from scheduler.engine.simulation.clock import from_rfc3339


def deletion_facts(manifest: dict[str, Any], now_us: int) -> list[str]:
    """`deletionTimestamp` is when the grace is over: the deletion was asked for that much earlier."""
    metadata = manifest.get("metadata") or {}
    try:
        over_us = from_rfc3339(metadata.get("deletionTimestamp") or "")
    except ValueError:
        return []
    asked_us = over_us - (metadata.get("deletionGracePeriodSeconds") or 0) * SECOND_US
    left = format_html("its grace ends in {}", ahead(now_us, over_us)) if over_us > now_us else "its grace is over"
    if asked_us > now_us:  # the clock of this cluster has not come as far
        return [left]
    return [format_html("being deleted for {}", aged(now_us, asked_us)), left]
