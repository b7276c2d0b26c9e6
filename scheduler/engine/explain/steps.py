"""How a number or a verdict of a cycle came about, step by step: everything can be recomputed by hand.

A `Step` names an operation, its inputs and its result; inputs that are names of earlier steps stand for their results.
`evaluate` recomputes everything from the inputs alone, with plain Python values, so a wrong explanation is found out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scheduler.engine.cycle.unprepared import explained
from scheduler.engine.explain.operations import OPERATIONS, VERDICTS
from scheduler.engine.framework import Step

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.scores import Scores
    from scheduler.engine.framework import Int64Array


def evaluate(steps: Sequence[Step]) -> Any:
    """The last step's result, recomputed from inputs alone.

    Raises ValueError where a step's own result differs, or its operation does not exist or does not take its inputs.
    """
    known: dict[Any, Any] = {}
    result: Any = None
    for step in steps:
        names = {place: one for place, one in enumerate(step.inputs) if _is_name(step, place, one) and one in known}
        inputs = [known[one] if place in names else one for place, one in enumerate(step.inputs)]
        result = _computed(step, inputs, tuple(names.values()))
        known[step.name] = result
    return result


def _is_name(step: Step, place: int, one: Any) -> bool:
    """Every second input of a verdict is a reason, which is text whatever the steps are called."""
    return isinstance(one, str) and not (step.op in VERDICTS and place % 2)


def _computed(step: Step, inputs: Sequence[Any], names: Sequence[str]) -> Any:
    """`names`: of earlier steps, among the inputs."""
    if step.op not in OPERATIONS:
        raise ValueError(f"{step.name}: there is no operation {step.op!r}; there are {', '.join(sorted(OPERATIONS))}")
    try:
        result = OPERATIONS[step.op](*inputs)
    except TypeError as problem:
        said = f"{step.name}: {step.op} does not take {tuple(inputs)}: {problem}"
        raise ValueError(f"{said}{_names_told(names)}") from problem
    if result != step.result:
        said = f"{step.name}: {step.op}{tuple(inputs)} is {result}, not {step.result}"
        raise ValueError(f"{said}{_names_told(names)}")
    return result


def _names_told(names: Sequence[str]) -> str:
    """A text that is the name of a step stands for that step's result, meant or not."""
    return "".join(f'; "{name}" is the step of that name: a text goes into a tuple, ("{name}",)' for name in names)


@dataclass(frozen=True, slots=True)
class Layers:
    """One cell of the matrix from layer to layer; the last step of each part gives that layer's number."""

    raw: list[Step]
    normalized: list[Step]
    weighted: list[Step]


def explain_cell(cycle: Cycle, algorithm: str, row: int) -> Layers:
    """raw → normalised → weighted on a feasible node. Raises ValueError for a row or algorithm without a score."""
    scores, place = _place(cycle, algorithm, row)
    raw = scores.raw[algorithm]
    number, weight = int(scores.normalized[algorithm][place]), scores.weights[algorithm]
    times = Step("weighted", "multiply", (number, weight), number * weight, "normalised × weight")
    return Layers(explain_score(cycle, algorithm, row), explain_normalize(cycle, algorithm, raw, place), [times])


def explain_score(cycle: Cycle, algorithm: str, row: int) -> list[Step]:
    """The arithmetic of an algorithm's raw score on a feasible node; an extra score stands for itself.

    `row`: of the snapshot. Raises ValueError for a row or algorithm without a score.
    """
    scores, place = _place(cycle, algorithm, row)
    assert cycle.scoring is not None
    if algorithm not in cycle.scoring.plugins:
        given = int(scores.raw[algorithm][place])
        return [Step("score", "value", (given,), given)]
    return explained(cycle.scoring, cycle.scoring.plugins[algorithm], row)


def explain_normalize(cycle: Cycle, algorithm: str, raw: Int64Array, place: int) -> list[Step]:
    """The arithmetic of reduce for one score of a row (`raw`: of all feasible nodes).

    [] for an algorithm that reduces and does not say how.
    """
    plugin = cycle.scoring.plugins.get(algorithm) if cycle.scoring is not None else None
    if cycle.scoring is not None and plugin is not None and plugin.implements("normalize"):
        return plugin.explain_normalize(cycle.scoring, raw, place)
    number = int(raw[place])
    return [Step("normalised", "value", (number,), number, "is 0 … 100 already")]


def _place(cycle: Cycle, algorithm: str, row: int) -> tuple[Scores, int]:
    """The scores of the cycle, and which of its feasible nodes the row is."""
    scores, places = cycle.trace.scores, cycle.feasible.tolist()
    if scores is None or cycle.scoring is None or row not in places or algorithm not in scores.raw:
        raise ValueError(f"{algorithm} has no score on row {row}")
    return scores, places.index(row)
