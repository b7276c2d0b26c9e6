"""Trying nodes out, each as if it were the only one to change, until there are enough candidates.

Source: kube-scheduler v1.34.1 framework/preemption/preemption.go, DryRunPreemption, as one worker does it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cycle.filtering import filter_group, nominated_to
from scheduler.engine.framework import Status, error, unresolvable
from scheduler.engine.memo.facts import facts
from scheduler.engine.preemption.budgets import Budgets
from scheduler.engine.preemption.trial import Trial
from scheduler.engine.preemption.victims import Outcome, Victims, select_victims

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

_NO_VICTIMS = unresolvable("No preemption victims found for incoming pod")
_PORTION = 128


@dataclass(slots=True)
class Found:
    """`rejected`: row → why preemption does not help there. Nodes that were not tried any more are in neither."""

    wanted: int
    clean: dict[int, Victims] = field(default_factory=dict)
    violating: dict[int, Victims] = field(default_factory=dict)
    rejected: dict[int, Status] = field(default_factory=dict)

    @property
    def is_enough(self) -> bool:
        return bool(self.clean) and len(self.clean) + len(self.violating) >= self.wanted

    @property
    def candidates(self) -> dict[int, Victims]:
        """Row → victims; nodes where no budget is broken come first."""
        return self.clean | self.violating

    def note(self, row: int, outcome: Outcome, name: str) -> None:
        if isinstance(outcome, Status):
            self.rejected[row] = outcome
        elif not outcome.pods:
            self.rejected[row] = error(f'expected at least one victim pod on node "{name}"')
        else:
            group = self.violating if outcome.violations else self.clean
            if len(group) < self.wanted:
                group[row] = outcome


def candidates_wanted(potential: int, percentage: int, absolute: int) -> int:
    """How many candidates are enough."""
    return min(potential, max(potential * percentage // 100, absolute))


def dry_run(cycle: Cycle, rows: Sequence[int], wanted: int) -> Found:
    """Try these rows in this order."""
    found, budgets = Found(wanted), Budgets(cycle.snapshot)
    for row, outcome in _outcomes(cycle, rows, budgets, found):
        found.note(row, outcome, cycle.snapshot.names[row])
        if found.is_enough:
            break
    return found


def _outcomes(cycle: Cycle, rows: Sequence[int], budgets: Budgets, found: Found) -> Iterator[tuple[int, Outcome]]:
    """In portions: what one node has to say does not depend on the others, so many are asked at once."""
    first = 0
    while first < len(rows):
        size = max(_PORTION, found.wanted - len(found.clean) - len(found.violating))
        portion = rows[first : first + size]
        outcomes = outcomes_of(cycle, portion, budgets)
        yield from ((row, outcomes[row]) for row in portion)
        first += size


def outcomes_of(cycle: Cycle, rows: Sequence[int], budgets: Budgets) -> dict[int, Outcome]:
    """Row → its victims, or why there are none."""
    group = filter_group(cycle)
    if group.others:
        return _some_by_one(cycle, rows, budgets)
    names, nominated = cycle.snapshot.names, cycle.nominated
    waiting = {row: nominated_to(cycle, name) if (name := names[row]) in nominated else () for row in rows}
    key = ("preemption", group.key, cycle.pod.priority, cycle.snapshot.version("PodDisruptionBudget"))
    return facts(cycle.snapshot.columns, key, waiting, lambda missing: _together(cycle, missing, budgets))


def _together(cycle: Cycle, rows: Sequence[int], budgets: Budgets) -> dict[int, Outcome]:
    outcomes, potential = _lower(cycle, rows)
    return outcomes | select_victims(cycle, potential, budgets)


def _some_by_one(cycle: Cycle, rows: Sequence[int], budgets: Budgets) -> dict[int, Outcome]:
    """What a filter says that looks beyond its row holds for a trial in which no other row changes."""
    outcomes, potential = _lower(cycle, rows)
    outcomes |= _hopeless(cycle, potential)
    for row, pods in potential.items():
        if row not in outcomes:
            outcomes |= select_victims(cycle, {row: pods}, budgets)
    return outcomes


def _lower(cycle: Cycle, rows: Sequence[int]) -> tuple[dict[int, Outcome], dict[int, list[PodInfo]]]:
    """Row → why it has no victims; row → its pods of lower priority."""
    priority, infos = cycle.pod.priority, cycle.snapshot.infos
    lower = {row: [pod for pod in infos[row].pods if pod.priority < priority] for row in rows}
    return {row: _NO_VICTIMS for row, pods in lower.items() if not pods}, {r: pods for r, pods in lower.items() if pods}


def _hopeless(cycle: Cycle, potential: dict[int, list[PodInfo]]) -> dict[int, Status]:
    """Rows refused by one of the filters that come before any that looks beyond its row: all asked at once."""
    early = {one.name for one in takewhile(lambda one: one.filter_reads != "cluster", cycle.active_filters)}
    waited_for = {cycle.snapshot.row_of.get(name) for name in cycle.nominated}
    alone = {row: pods for row, pods in potential.items() if row not in waited_for}
    if not early or not alone:
        return {}
    late = [one.name for one in cycle.active_filters if one.name not in early]
    return Trial(cycle.without_filters(late), alone).refusals(list(alone))
