"""The nodes that a cycle refused, page by page, each with all that speaks against it and how much is missing."""

from collections.abc import Sequence

from dashboard.build.attempt import Attempt
from dashboard.build.failures import failures_of, told
from dashboard.payloads.refusals import RefusedNode, RefusedNodes
from scheduler.engine.cluster.node_tree import zone_of
from scheduler.engine.framework import Status


def refused_nodes(
    made: Attempt, search: str = "", offset: int = 0, limit: int = 100, *, first_only: bool = False
) -> RefusedNodes:
    """`search`: part of a node's name, zone, plugin or reason. `reason_count`: reasons of all the nodes found.

    `first_only`: it is looked for in the refusal at which the search for nodes stopped, as the counts of a cycle are.
    """
    if not made.shows("Filter"):
        return {"cycle": made.record.number, "count": 0, "reason_count": 0, "nodes": []}
    names, nodes = made.trace.names, made.cycle.snapshot.columns.nodes
    found: list[tuple[int, list[Status]]] = []
    for row in sorted(made.trace.first_failures):
        failures = failures_of(made, row)
        told = failures[:1] if first_only else failures
        if not search or _is_meant(search.casefold(), names[row], zone_of(nodes[row]), told):
            found.append((row, failures))
    return {
        "cycle": made.record.number,
        "count": len(found),
        "reason_count": sum(len(status.reasons) for _, failures in found for status in failures),
        "nodes": [_node(made, row, failures) for row, failures in found[offset : offset + limit]],
    }


def _is_meant(search: str, name: str, zone: str, failures: Sequence[Status]) -> bool:
    texts = [name, zone, *(text for status in failures for text in (status.plugin, *status.reasons))]
    return any(search in text.casefold() for text in texts)


def _node(made: Attempt, row: int, failures: Sequence[Status]) -> RefusedNode:
    zone = zone_of(made.cycle.snapshot.columns.nodes[row])
    return {"node": made.trace.names[row], "zone": zone, "failures": [told(made, row, one) for one in failures]}
