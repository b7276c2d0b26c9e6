"""One cell of the matrix opened: from this node's and this pod's values to the raw score, then reduce and weight."""

from dashboard.build.about import about
from dashboard.build.attempt import Attempt
from dashboard.build.explain_node import filters_of
from dashboard.build.steps import NoSuchCell, step_lines
from dashboard.payloads.explain import ExplainedCell, FailedCell, StepLine
from scheduler.engine.cycle.unprepared import explained
from scheduler.engine.explain.steps import explain_normalize
from scheduler.engine.framework import Step


def explain_cell(made: Attempt, node: str, algorithm: str) -> ExplainedCell | FailedCell:
    """Layers, and the steps from each to the next; or, where map failed, what it said. Raises NoSuchCell."""
    place = _place(made, node)
    if algorithm not in made.names:
        raise NoSuchCell(f"No algorithm {algorithm} scores in this profile.")
    if algorithm not in made.raw or not made.shows("Map"):
        raise NoSuchCell(f"{algorithm} has not scored in this cycle.")
    if fault := made.errors.cells.get(algorithm, {}).get(place):
        return {"node": node, "algorithm": algorithm, "error": f"The map of {algorithm} failed on {node}: {fault}"}
    raw, weight = made.raw[algorithm], made.weight(algorithm)
    reduced = made.shows("Reduce") and algorithm in made.normalized
    normalized = int(made.normalized[algorithm][place]) if reduced else None
    return {
        "node": node,
        "algorithm": algorithm,
        "about": about(algorithm),
        "weight": weight,
        "raw": int(raw[place]),
        "normalized": normalized,
        "weighted": normalized * weight if normalized is not None else None,
        "raw_min": int(raw.min()),
        "raw_max": int(raw.max()),
        "steps": _raw(made, algorithm, place),
        "reduce": step_lines(explain_normalize(made.cycle, algorithm, raw, place)) if reduced else [],
        "weigh": _weigh(normalized, weight) if normalized is not None else [],
        "filters": filters_of(made, int(made.cycle.feasible[place])),
    }


def _place(made: Attempt, node: str) -> int:
    if node in made.feasible_names:
        return made.feasible_names.index(node)
    if node in made.cycle.snapshot.row_of:
        raise NoSuchCell(f"{node} was not scored: it did not pass the filters, or the search ended before it.")
    raise NoSuchCell(f"There was no node {node} in this cycle.")


def _raw(made: Attempt, algorithm: str, place: int) -> list[StepLine]:
    scoring = made.cycle.scoring
    plugin = scoring.plugins.get(algorithm) if scoring else None
    if scoring is None or plugin is None or not plugin.implements("explain"):
        return []
    return step_lines(explained(scoring, plugin, int(made.cycle.feasible[place])))


def _weigh(normalized: int, weight: int) -> list[StepLine]:
    return step_lines([Step("weighted", "multiply", (normalized, weight), normalized * weight)])
