"""Constraints that make a node worse (ScheduleAnyway): pods by row, the weight of a pod, and how the row is normalised.

Source: kube-scheduler v1.34.1 plugins/podtopologyspread/scoring.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.arithmetic import golang
from scheduler.engine.arithmetic.spread import HOSTNAME, Constraint
from scheduler.engine.arithmetic.spread_rows import counted_rows, counter_of, labelled_rows
from scheduler.engine.framework import MAX_NODE_SCORE, BoolArray, Int64Array

if TYPE_CHECKING:
    from scheduler.engine.cluster.keys import Key
    from scheduler.engine.cycle.attempt import Cycle


@dataclass(frozen=True, slots=True)
class Soft:
    """A soft constraint. `has_key` and `counts` are per row: pods in the row's domain, or on the node for hostname.

    `has_key` is None where all rows have it.
    """

    rule: Constraint
    has_key: BoolArray | None
    counts: Int64Array
    domains: int
    weight: float

    def term(self, counts: Int64Array) -> NDArray[np.float64]:
        """What so many pods add to the score, before it is rounded."""
        return counts.astype(np.float64) * self.weight + float(self.rule.max_skew - 1)

    def scores(self, counts: Int64Array) -> Int64Array:
        """The score where no other constraint has a say. Few numbers occur: each is worked out once."""
        most = int(counts.max(initial=0))
        if most >= len(counts):
            return golang.rounded(self.term(counts))
        table = golang.rounded(self.term(np.arange(most + 1, dtype=np.int64)))
        by_row: Int64Array = table[counts]
        return by_row


@dataclass(frozen=True, slots=True)
class SoftState:
    """`ignored`: per row, feasible nodes that lack a label. They score 0. None: there are none."""

    constraints: list[Soft]
    ignored: BoolArray | None

    def take(self, rows: Int64Array) -> SoftState:
        parts = [replace(one, has_key=_part(one.has_key, rows), counts=one.counts[rows]) for one in self.constraints]
        return SoftState(parts, _part(self.ignored, rows))


def _part(rows: BoolArray | None, some: Int64Array) -> BoolArray | None:
    return None if rows is None else rows[some]


def soft_state(cycle: Cycle, rules: Sequence[Constraint], keys: tuple[str, ...]) -> SoftState:
    """The pod's constraints with what the cluster has of each now. `keys`: labels without which a node is ignored."""
    labelled = labelled_rows(cycle, keys)
    parts = [_soft(cycle, rule, keys, labelled) for rule in rules]
    return SoftState(parts, None if labelled is None else ~labelled)


def normalized(scores: Int64Array, counted: Int64Array) -> Int64Array:
    """The fewer pods the better. `counted`: those scores among which highest and lowest are looked for."""
    highest, lowest = max(0, int(counted.max())), int(counted.min())
    if highest == 0:
        return np.full(len(scores), MAX_NODE_SCORE, np.int64)
    return MAX_NODE_SCORE * (highest + lowest - scores) // highest


def _soft(cycle: Cycle, rule: Constraint, keys: tuple[str, ...], labelled: BoolArray | None) -> Soft:
    """Domains are those of feasible nodes; pods are counted on all nodes."""
    columns, counter = cycle.snapshot.columns, counter_of(cycle, rule)
    everywhere = columns.domains.of(rule.key)
    has_key = everywhere.numbers > 0 if everywhere.exists[0] else None
    feasible = cycle.feasible if labelled is None else cycle.feasible[labelled[cycle.feasible]]
    if rule.key == HOSTNAME:
        weight = golang.log(float(len(feasible) + 2))
        return Soft(rule, has_key, columns.vectors[counter], len(feasible), weight)
    numbers, totals = _with_empty_as_missing(cycle, rule, counter, keys)
    exists = np.bincount(numbers[feasible], minlength=len(totals)) > 0
    domains = int(exists.sum())
    return Soft(rule, has_key, np.where(exists, totals, 0)[numbers], domains, golang.log(float(domains + 2)))


def _with_empty_as_missing(
    cycle: Cycle, rule: Constraint, counter: Key, keys: tuple[str, ...]
) -> tuple[NDArray[np.intp], Int64Array]:
    """Number of each row's domain, and pods per domain. A missing label and an empty value are one domain."""
    columns = cycle.snapshot.columns
    numbers = columns.domains.of(rule.key).numbers
    totals = columns.domains.sums(counter, rule.key, counted_rows(cycle, rule, keys))
    empty = columns.label_values[rule.key].find("")
    if empty < 0:
        return numbers, totals
    together = totals.copy()
    together[0] += totals[empty]
    return np.where(numbers == empty, 0, numbers), together
