"""The node that preemption disturbs least: rule after rule, until one candidate is left.

Source: kube-scheduler v1.34.1 framework/preemption/preemption.go, pickOneNodeForPreemption.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeAlias

from scheduler.engine.preemption.importance import NOW
from scheduler.engine.preemption.victims import Victims

Measure: TypeAlias = Callable[[Victims], int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One rule: what it measured of each node that was left, and the nodes that it kept.

    `values`: None stands for a start time that is now.
    """

    rule: str
    values: dict[str, int | None]
    kept: tuple[str, ...]


RULES: tuple[tuple[str, Measure, bool], ...] = (
    ("fewest disruption budgets broken", attrgetter("violations"), False),
    ("lowest priority of the first victim", attrgetter("highest_priority"), False),
    ("smallest sum of priorities", attrgetter("sum_of_priorities"), False),
    ("fewest victims", lambda victims: len(victims.pods), False),
    ("latest start of the most important victims", attrgetter("earliest_start_us"), True),
)
"""(name, measure, whether more is better), in order."""


def compare(candidates: Mapping[str, Victims]) -> list[Comparison]:
    """The rules as far as they are needed; what the last one kept is tied. `candidates`: by name of the node."""
    comparisons: list[Comparison] = []
    left = list(candidates)
    for rule, measure, more_is_better in RULES:
        if len(left) < 2:
            break
        values = {name: measure(candidates[name]) for name in left}
        best = max(values.values()) if more_is_better else min(values.values())
        left = [name for name in left if values[name] == best]
        shown = {name: None if value == NOW else value for name, value in values.items()}
        comparisons.append(Comparison(rule, shown, tuple(left)))
    return comparisons
