"""A tried fix as plain data: what commands print and pages get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from scheduler.engine.fixes.search import Tried, cost
from scheduler.engine.fixes.told import advice, told
from scheduler.engine.fixes.trial import Moved
from scheduler.engine.objects import Pod

ORDER = {"fits": 0, "unfinished": 1, "no help": 2}


def fix_report(one: Tried, pod: Pod) -> dict[str, Any]:
    """`rank`: lists compare as fixes are to be shown, the best first. `edits` as `change.Edit` has them."""
    result = one.result
    return {
        "id": one.fix.id,
        "kind": one.fix.kind,
        "outcome": result.outcome,
        "title": one.fix.title,
        "told": told(one),
        "note": advice(one, pod),
        "rank": [ORDER[result.outcome], *cost(one), one.place],
        "node": result.node if result.fits else "",
        "feasible": result.feasible,
        "ahead": result.ahead,
        "seconds": result.seconds,
        "moved": _moved(result.moved),
        "evicted": _moved(result.preempted),
        "also": [{"pod": key, "node": node} for key, node in result.also],
        "message": "" if result.fits else result.message,
        "edits": msgspec.to_builtins(one.fix.edits),
    }


def _moved(pods: Sequence[Moved]) -> list[dict[str, Any]]:
    return [{"pod": one.pod, "from": one.before, "to": one.after} for one in pods]
