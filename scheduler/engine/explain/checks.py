"""How an algorithm tells the verdict of its filter: conditions as steps, then the reasons of those that do not hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from scheduler.engine.framework import Step
from scheduler.engine.labels import NAME_FIELD, NodeSelector, NodeTerm, Requirement


def with_verdict(
    steps: Sequence[Step], reasons: Iterable[tuple[str, str]], *, every: bool = False, name: str = "verdict"
) -> list[Step]:
    """`steps`, then the verdict: the reason of the first condition that does not hold, or of every one.

    `reasons`: (name of a step whose result is true or false, why it refuses the node), in order.
    """
    results = {step.name: step.result for step in steps}
    pairs = list(reasons)
    failed = tuple(reason for name, reason in pairs if not results[name])
    inputs = tuple(part for pair in pairs for part in pair)
    op = "every_reason" if every else "first_reason"
    return [*steps, Step(name, op, inputs, failed if every else failed[:1])]


def said(reasons: tuple[str, ...], note: str) -> list[Step]:
    """A verdict that stands for itself: nothing was compared."""
    return [Step("verdict", "value", (reasons,), reasons, note)]


def combined(name: str, op: str, steps: Iterable[Step], note: str = "") -> Step:
    """Whether all, or any, of these hold."""
    parts = list(steps)
    results = [step.result for step in parts]
    return Step(name, op, tuple(step.name for step in parts), all(results) if op == "all" else any(results), note)


def requirements(name: str, asked: Iterable[Requirement], labels: Mapping[str, str]) -> list[Step]:
    """A step for each requirement of labels; the note is the requirement as it is written."""
    return [
        _selects(f"{name}.{number}", one, labels.get(one.key), one.matches(labels))
        for number, one in enumerate(asked, 1)
    ]


def selector(name: str, asked: NodeSelector, labels: Mapping[str, str], node_name: str, note: str = "") -> list[Step]:
    """Terms of which any must match, requirement by requirement; the last step, `name`, is whether one does.

    A single requirement or term goes by the name of the whole.
    """
    steps, terms = list[Step](), list[Step]()
    for number, term in enumerate(asked.terms, 1):
        parts = _term(f"{name} term {number}", term, labels, node_name)
        terms.append(parts[-1])
        steps += parts
    if len(terms) == 1:
        return [*steps[:-1], replace(terms[0], name=name, note=terms[0].note or note)]
    return [*steps, combined(name, "any", terms, note)]


def _term(name: str, term: NodeTerm, labels: Mapping[str, str], node_name: str) -> list[Step]:
    """One that could not be read matches nothing."""
    if term.errors:
        return [Step(name, "value", (False,), False, term.error)]
    steps = requirements(name, term.labels.requirements, labels)
    for number, one in enumerate(term.fields, len(steps) + 1):
        value = node_name if one.key == NAME_FIELD else ""
        steps.append(_selects(f"{name}.{number}", one, value, one.matches({one.key: value})))
    return [replace(steps[0], name=name)] if len(steps) == 1 else [*steps, combined(name, "all", steps)]


def _selects(name: str, one: Requirement, value: str | None, holds: bool) -> Step:
    return Step(name, "selects", ((value,), one.operator, one.values), holds, str(one))
