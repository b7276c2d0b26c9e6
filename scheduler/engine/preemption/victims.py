"""Who would have to leave a node: all pods of lower priority, less those that can come back.

Source: kube-scheduler v1.34.1 plugins/defaultpreemption, SelectVictimsOnNode.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.framework import Status
from scheduler.engine.preemption.budgets import Budgets
from scheduler.engine.preemption.importance import by_importance, earliest_start_us
from scheduler.engine.preemption.trial import Trial

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

_SHIFT = 2**31


@dataclass(frozen=True)
class Victims:
    """`pods` in the order in which they are evicted. `breaking`: keys of those whose eviction breaks a budget.

    What candidates are compared by is worked out once, as long as nothing changes on the node.
    """

    pods: tuple[PodInfo, ...]
    breaking: frozenset[str] = frozenset()

    @property
    def violations(self) -> int:
        return len(self.breaking)

    @cached_property
    def highest_priority(self) -> int:
        return self.pods[0].priority

    @cached_property
    def sum_of_priorities(self) -> int:
        """Shifted, so that more victims never cost less."""
        return sum([pod.priority + _SHIFT for pod in self.pods])

    @cached_property
    def earliest_start_us(self) -> int:
        """Of the most important ones."""
        return earliest_start_us(self.pods)


Outcome: TypeAlias = Victims | Status


def select_victims(cycle: Cycle, potential: Mapping[int, list[PodInfo]], budgets: Budgets) -> dict[int, Outcome]:
    """Row → victims, or why their absence would not help. `potential`: the pods of lower priority, in node order.

    Several rows only if no filter of the pod looks beyond its own row.
    """
    trial = Trial(cycle, potential)
    refusals = trial.refusals(list(potential))
    split = {row: budgets.split(by_importance(pods)) for row, pods in potential.items() if row not in refusals}
    trial.leave_out([one.name for one in trial.cycle.active_filters if one.filter_reads == "node"])
    left = _reprieve(trial, {row: violating + others for row, (violating, others) in split.items()})
    return {**refusals, **{row: _victims(left[row], *groups) for row, groups in split.items()}}


def _reprieve(trial: Trial, lines: Mapping[int, list[PodInfo]]) -> dict[int, list[PodInfo]]:
    """Let the pods back one after the other, on all rows in step; who makes the preemptor unfit goes again."""
    victims: dict[int, list[PodInfo]] = {row: [] for row in lines}
    for turn in range(max(map(len, lines.values()), default=0)):
        back = {row: line[turn] for row, line in lines.items() if turn < len(line)}
        trial.add(back)
        for row in trial.rows_that_fit(list(back)):
            del back[row]
        trial.remove(back)
        for row, pod in back.items():
            victims[row].append(pod)
    return victims


def _victims(left: list[PodInfo], violating: list[PodInfo], others: list[PodInfo]) -> Victims:
    """Only a mixed list is brought into order again, even if one of its groups came back as a whole."""
    ordered = by_importance(left) if violating and others else left
    return Victims(tuple(ordered), frozenset(pod.key for pod in violating) & {pod.key for pod in left})
