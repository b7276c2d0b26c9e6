"""Refusals by reason and by node: how many nodes, how many the message counts, and what the attempt before had."""

from collections import Counter

from dashboard.build.why.columns import Columns, Reason
from dashboard.build.why.evidence import Evidence
from dashboard.payloads.why import NodeResource, WhyNodes, WhyReason
from scheduler.engine.explain.why.room import Room

NEW = -1
"""In place of a reason: the node was not there."""


def reasons(found: Evidence, before: Evidence | None) -> list[WhyReason]:
    """Most frequent first. `before`: of the attempt before; what it alone had stands at the end with no nodes."""
    if found.columns is None:
        return []
    counts = _counts(found.columns)
    earlier = _counts(before.columns) if before is not None and before.columns is not None else None
    gone = [one for one in earlier or () if one not in counts]
    order = [*sorted(counts, key=lambda one: (-counts[one], one)), *sorted(gone)]
    return [
        {
            "plugin": plugin,
            "reason": reason,
            "nodes": counts[plugin, reason],
            "printed": found.printed.get(reason, 0),
            "before": earlier[plugin, reason] if earlier is not None else None,
        }
        for plugin, reason in order
    ]


def _counts(table: Columns) -> Counter[Reason]:
    return Counter(table.reasons[number] for numbers in table.of for number in numbers)


def nodes(found: Evidence, before: Evidence | None) -> WhyNodes | None:
    """All nodes in the order of the page."""
    table = found.columns
    if table is None:
        return None
    order, known = table.order, list(table.reasons)
    earlier = _earlier(table, before.columns, known) if before is not None and before.columns is not None else None
    return {
        "names": [table.names[row] for row in order],
        "zones": [table.zones[row] for row in order],
        "types": [table.types[row] for row in order],
        "verdicts": table.verdicts[order].tolist(),
        "totals": [table.totals.get(row) for row in order] if table.totals is not None else None,
        "reasons": [list(one) for one in known],
        "of": [table.of[row] for row in order],
        "before": earlier,
        "distance": [table.distance[row] for row in order],
        "kept": [", ".join(table.kept.get(row, ())) for row in order] if table.kept else None,
        "resources": [_resource(one, order) for one in table.rooms],
    }


def _resource(room: Room, order: list[int]) -> NodeResource:
    return {
        "name": room.resource,
        "asked": room.asked,
        "free": room.free[order].tolist(),
        "allocatable": room.allocatable[order].tolist(),
    }


def _earlier(table: Columns, earlier: Columns, known: list[Reason]) -> list[list[int] | None]:
    """What each node had at the attempt before, None where that is equal, [NEW] for a node that was not there.

    `known`: the reasons so far; those that only the earlier attempt had are added to it.
    """
    numbers = {reason: number for number, reason in enumerate(known)}
    for reason in earlier.reasons:
        if reason not in numbers:
            numbers[reason] = len(known)
            known.append(reason)
    row_of = {name: row for row, name in enumerate(earlier.names)}
    found: list[list[int] | None] = []
    for row in table.order:
        there = row_of.get(table.names[row])
        had = [numbers[earlier.reasons[number]] for number in earlier.of[there]] if there is not None else [NEW]
        found.append(None if sorted(had) == sorted(table.of[row]) else had)
    return found
