"""One node of a cycle opened: every filter of the profile with its verdict and the steps that led to it."""

from typing import Literal

from dashboard.build.attempt import Attempt
from dashboard.build.steps import NoSuchCell, step_lines
from dashboard.payloads.explain import ExplainedFilter, ExplainedNode
from scheduler.engine.explain.filters import FilterCell, explain_filters


def explain_node(made: Attempt, node: str) -> ExplainedNode:
    """All filters, also those after the first that refuses the node. Raises NoSuchCell."""
    row = made.cycle.snapshot.row_of.get(node)
    if row is None:
        raise NoSuchCell(f"There was no node {node} in this cycle.")
    if not made.shows("Filter"):
        raise NoSuchCell("No filter has looked at the nodes of this cycle yet.")
    return {"node": node, "verdict": _verdict(made, row), "filters": filters_of(made, row)}


def filters_of(made: Attempt, row: int) -> list[ExplainedFilter]:
    return [_filter(cell) for cell in explain_filters(made.cycle, row)]


def _verdict(made: Attempt, row: int) -> Literal["feasible", "refused", "not_reached"]:
    if row in made.cycle.feasible:
        return "feasible"
    return "refused" if row in made.trace.first_failures else "not_reached"


def _filter(cell: FilterCell) -> ExplainedFilter:
    return {
        "plugin": cell.plugin,
        "code": cell.status.code.label,
        "reasons": list(cell.status.reasons),
        "steps": step_lines(cell.steps),
        "nominated": list(cell.nominated),
    }
