"""All that speaks against one node: every filter that refuses it, with its reasons and how much is missing."""

from dashboard.build.attempt import Attempt
from dashboard.payloads.refusals import Failure
from scheduler.engine.explain.reserved import missing
from scheduler.engine.framework import Status


def failures_of(made: Attempt, row: int) -> list[Status]:
    """All filters that refuse a node, in order; what only a pod nominated there makes fail goes first."""
    failures, first = made.trace.all_failures(row), made.trace.first_failures.get(row)
    if first is None or any(_same(first, one) for one in failures):
        return failures
    return [first, *failures]


def told(made: Attempt, row: int, status: Status) -> Failure:
    """One of them for a page."""
    return {
        "plugin": status.plugin,
        "code": status.code.label,
        "reasons": list(status.reasons),
        "missing": missing(made.cycle, row, status.plugin),
    }


def _same(one: Status, other: Status) -> bool:
    return (one.plugin, one.reasons) == (other.plugin, other.reasons)
