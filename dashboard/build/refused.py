"""The nodes that a cycle refused, page by page, each with all that speaks against it and how much is missing."""

from collections.abc import Sequence

from dashboard.build.attempt import Attempt
from dashboard.build.every_node import failures_of
from dashboard.payloads import Failure, RefusedNode, RefusedNodes
from dashboard.text import count, quantity
from scheduler.engine.cluster.node_tree import zone_of
from scheduler.engine.cycle.attempt import Cycle
from scheduler.engine.framework import Status, Step


def refused_nodes(made: Attempt, search: str = "", offset: int = 0, limit: int = 100) -> RefusedNodes:
    """`search`: part of a node's name, zone, plugin or reason. `reason_count`: reasons of all the nodes found."""
    if not made.shows("Filter"):
        return {"cycle": made.record.number, "count": 0, "reason_count": 0, "nodes": []}
    names, nodes = made.trace.names, made.cycle.snapshot.columns.nodes
    found: list[tuple[int, list[Status]]] = []
    for row in sorted(made.trace.first_failures):
        failures = failures_of(made, row)
        if not search or _is_meant(search.casefold(), names[row], zone_of(nodes[row]), failures):
            found.append((row, failures))
    return {
        "cycle": made.record.number,
        "count": len(found),
        "reason_count": sum(len(status.reasons) for _, failures in found for status in failures),
        "nodes": [
            _node(made.cycle, row, names[row], zone_of(nodes[row]), failures)
            for row, failures in found[offset : offset + limit]
        ],
    }


def _is_meant(search: str, name: str, zone: str, failures: Sequence[Status]) -> bool:
    texts = [name, zone, *(text for status in failures for text in (status.plugin, *status.reasons))]
    return any(search in text.casefold() for text in texts)


def _node(cycle: Cycle, row: int, name: str, zone: str, failures: Sequence[Status]) -> RefusedNode:
    return {"node": name, "zone": zone, "failures": [_failure(cycle, row, status) for status in failures]}


def _failure(cycle: Cycle, row: int, status: Status) -> Failure:
    active = {plugin.name: plugin for plugin in cycle.active_filters}
    steps = active[status.plugin].explain_filter(cycle, row) if status.plugin in active else []
    missing = [text for step in steps if step.result is False and (text := distance(step))]
    return {
        "plugin": status.plugin,
        "code": status.code.label,
        "reasons": list(status.reasons),
        "missing": missing,
    }


def distance(step: Step) -> str:
    """How far a failed step is from holding: `needs 300m more cpu`; "" where no number says it."""
    if step.op == "fits":
        asked, allocatable, requested = step.inputs
        return _shortage(step.name, asked, allocatable, requested)
    if step.op == "within_skew":
        pods, itself, least, max_skew = step.inputs
        over = pods + itself - least - max_skew
        return f"{step.name}: {count(pods, 'pod')} there, minimum {least}; skew {over + max_skew}, {over} too many"
    return ""


def _shortage(resource: str, asked: int, allocatable: int, requested: int) -> str:
    """What is lacking now, and whether even the empty node would be too small."""
    if resource == "pods":
        return f"holds {requested} of at most {count(allocatable, 'pod')}"
    text = f"needs {quantity(resource, asked - (allocatable - requested))} more {resource}"
    return f"{text}, and has only {quantity(resource, allocatable)} in all" if asked > allocatable else text
