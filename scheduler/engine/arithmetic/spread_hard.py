"""Constraints that a node must keep (DoNotSchedule): pods by domain, the global minimum, and who is too skewed.

Source: kube-scheduler v1.34.1 plugins/podtopologyspread/filtering.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.arithmetic.spread import Constraint
from scheduler.engine.arithmetic.spread_rows import counted_rows, counter_of, keys_of
from scheduler.engine.cluster.domains import Counted, Domains
from scheduler.engine.framework import BoolArray, Int64Array

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle

_MAX_INT32 = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Hard:
    """A hard constraint. `domains` and `counts`, the pods in each, are of rows that count; `present`: of all rows."""

    rule: Constraint
    domains: Domains
    present: BoolArray
    counted: Counted
    counts: Int64Array
    matches_itself: int

    @property
    def least(self) -> int:
        """The global minimum that skew is measured against."""
        if self.domains.size < self.rule.min_domains:
            return 0
        return int(self.counts[self.domains.exists].min(initial=_MAX_INT32))

    @property
    def verdicts(self) -> NDArray[np.int16]:
        """Per domain: 0 passes, 1 is no domain at all, 2 is too skewed."""
        skewed = self.counts + (self.matches_itself - self.least) > self.rule.max_skew
        table = skewed.astype(np.int16) * np.int16(2)
        table[0] = 1
        return table


@dataclass(frozen=True, slots=True)
class HardState:
    constraints: list[Hard]

    def clone(self) -> HardState:
        return HardState([replace(one, counts=one.counts.copy()) for one in self.constraints])


def hard_state(cycle: Cycle, rules: Sequence[Constraint]) -> HardState:
    """The pod's constraints with what the cluster has of each now."""
    return HardState([_hard(cycle, rule, keys_of(rules)) for rule in rules])


def _hard(cycle: Cycle, rule: Constraint, keys: tuple[str, ...]) -> Hard:
    sums, counted = cycle.snapshot.columns.domains, counted_rows(cycle, rule, keys)
    counts = sums.sums(counter_of(cycle, rule), rule.key, counted)
    itself = int(rule.selector.matches(cycle.pod.labels))
    return Hard(rule, sums.of(rule.key, counted), sums.of(rule.key).exists, counted, counts, itself)


def matching(one: Hard, pod: PodInfo, others: list[PodInfo]) -> int:
    """How many of the others the constraint counts when they come to a node or leave it."""
    same = (other for other in others if other.namespace == pod.namespace)
    return sum(one.rule.selector.matches(other.labels) for other in same)
