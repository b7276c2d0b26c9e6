"""Algorithms that a profile asks to filter or to score without their PreFilter or PreScore: what they do then.

Each says so itself (`without_pre_filter`, `without_pre_score`): most of kube-scheduler's own fail, some make do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.errors import PluginError
from scheduler.engine.framework import Code, Int64Array, Nodes, Plugin, Status, Step, Verdict

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.prepared import Scoring


def filters_without(cycle: Cycle) -> dict[str, Status]:
    """By name, what stands for the verdict on every node where Filter is not to be asked."""
    if not (names := cycle.line_up.unprepared["filter"]):
        return {}
    found = {one.name: one.without_pre_filter(cycle) for one in cycle.active_filters if one.name in names}
    return {name: status for name, status in found.items() if not status.is_success}


def verdict(cycle: Cycle, plugin: Plugin, nodes: Nodes) -> Verdict:
    """What a filter says of these nodes."""
    instead = cycle.instead_of_filter.get(plugin.name)
    if instead is None:
        return plugin.filter(cycle, nodes)
    return Verdict.where(np.full(len(nodes), instead.code is not Code.SKIP), instead)


def explained_filter(cycle: Cycle, plugin: Plugin, row: int) -> list[Step]:
    """How the verdict on one node came about."""
    instead = cycle.instead_of_filter.get(plugin.name)
    if instead is None:
        return plugin.explain_filter(cycle, row)
    return [Step("verdict", "value", (instead.reasons,), instead.reasons, "the profile leaves its PreFilter out")]


def scores_without(cycle: Cycle, scorers: dict[str, Plugin]) -> dict[str, str]:
    """By name, with what Score fails where it is not to be asked; "" where every node gets 0."""
    if not (names := cycle.line_up.unprepared["score"]):
        return {}
    found = {name: one.without_pre_score(cycle) for name, one in scorers.items() if name in names}
    return {
        name: ""
        if status.code is Code.SKIP
        else f'running Score plugins: plugin "{name}" failed with: {status.message}'
        for name, status in found.items()
        if not status.is_success
    }


def raw(scoring: Scoring, plugin: Plugin, nodes: Nodes) -> Int64Array:
    """The raw scores of these nodes. Raises PluginError where Score fails."""
    instead = scoring.instead_of_score.get(plugin.name)
    if instead is None:
        return plugin.score(scoring, nodes)
    if instead:
        problem = PluginError(instead)
        problem.hook = "score"
        raise problem
    return np.zeros(len(nodes), np.int64)


def explained(scoring: Scoring, plugin: Plugin, row: int) -> list[Step]:
    """The arithmetic of the raw score of one node."""
    if plugin.name not in scoring.instead_of_score:
        return plugin.explain(scoring, row)
    return [Step("score", "value", (0,), 0, "the profile leaves its PreScore out")]
