"""Every node of a cycle with its verdict: all filters that refuse it (the search stops at the first), or its total."""

from typing import Any

from dashboard.build.attempt import Attempt
from dashboard.build.failures import failures_of, told
from scheduler.engine.cluster.node_tree import zone_of


def every_node(made: Attempt) -> list[dict[str, Any]]:
    """In the order of the snapshot. `verdict`: feasible, refused, not_reached (the search had enough before it)."""
    cycle = made.cycle
    if not made.shows("Filter"):
        return []
    nodes, totals, refused = cycle.snapshot.columns.nodes, _totals(made), made.trace.first_failures
    listed = []
    for row, name in enumerate(made.trace.names):
        entry: dict[str, Any] = {"node": name, "zone": zone_of(nodes[row]), "verdict": "not_reached"}
        if row in totals:
            entry["verdict"], entry["total"] = "feasible", totals[row]
        elif row in refused:
            entry["verdict"] = "refused"
        entry["failures"] = [told(made, row, status) for status in failures_of(made, row)]
        listed.append(entry)
    return listed


def _totals(made: Attempt) -> dict[int, int | None]:
    rows = made.cycle.feasible.tolist()
    scores = made.scores
    return dict(zip(rows, scores.totals.tolist(), strict=True)) if scores is not None else dict.fromkeys(rows)
