"""The arithmetic of one cell: from this node's and this pod's values to the raw score, then reduce and weight."""

from typing import Any

import msgspec

from dashboard.build.about import about
from dashboard.build.attempt import Attempt
from scheduler.engine.framework import Step


class NoSuchCell(LookupError):  # noqa: N818 - read as a sentence
    """There is no score here; str() says why."""


def explain_cell(made: Attempt, node: str, algorithm: str) -> dict[str, Any]:
    """Layers, and the steps whose last result is the raw score. Raises NoSuchCell."""
    place = _place(made, node)
    if algorithm not in made.names:
        raise NoSuchCell(f"No algorithm {algorithm} scores in this profile.")
    if algorithm not in made.raw or not made.shows("Map"):
        raise NoSuchCell(f"{algorithm} has not scored in this cycle.")
    raw, reduced = made.raw[algorithm], made.shows("Reduce")
    cell = {"node": node, "algorithm": algorithm, "weight": made.weight(algorithm), "raw": int(raw[place])}
    cell["normalized"] = int(made.normalized[algorithm][place]) if reduced else None
    cell["weighted"] = int(made.normalized[algorithm][place]) * made.weight(algorithm) if reduced else None
    cell["raw_min"], cell["raw_max"] = int(raw.min()), int(raw.max())
    cell["steps"] = _steps(made, algorithm, place)
    cell["about"] = about(algorithm)
    return cell


def _place(made: Attempt, node: str) -> int:
    if node in made.feasible_names:
        return made.feasible_names.index(node)
    if node in made.cycle.snapshot.row_of:
        raise NoSuchCell(f"{node} was not scored: it did not pass the filters, or the search ended before it.")
    raise NoSuchCell(f"There was no node {node} in this cycle.")


def _steps(made: Attempt, algorithm: str, place: int) -> list[dict[str, Any]]:
    scoring = made.cycle.scoring
    plugin = scoring.plugins.get(algorithm) if scoring else None
    if scoring is None or plugin is None or not plugin.implements("explain"):
        return []
    return [_plain(step) for step in plugin.explain(scoring, int(made.cycle.feasible[place]))]


def _plain(step: Step) -> dict[str, Any]:
    made = {"name": step.name, "op": step.op, "inputs": list(step.inputs), "result": step.result, "note": step.note}
    return dict(msgspec.json.decode(msgspec.json.encode(made, enc_hook=_number)))


def _number(value: Any) -> Any:
    """NumPy scalars and exact fractions as plain numbers."""
    return value.item() if hasattr(value, "item") else float(value)
