"""The domains of a pod's spread constraints: who is there, what counts, and what one more pod would make of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.arithmetic.spread import HOSTNAME, SOFT, Constraint
from scheduler.engine.arithmetic.spread_hard import Hard
from scheduler.engine.arithmetic.spread_rows import counted_rows, counter_of, keys_of
from scheduler.engine.arithmetic.spread_soft import Soft
from scheduler.engine.cluster.domains import ALL, Counted
from scheduler.engine.errors import Invalid
from scheduler.engine.framework import BoolArray, Int64Array
from scheduler.engine.plugins import pod_topology_spread as plugin

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle


@dataclass(frozen=True, slots=True)
class HardSpread:
    """`least`: the global minimum; `size`: domains that count. `fits` and `skew` are parallel to `domains.values`."""

    rule: Constraint
    domains: Domains
    matches_itself: int
    least: int
    size: int
    skew: Int64Array
    fits: BoolArray


@dataclass(frozen=True, slots=True)
class SoftSpread:
    """`points`: what each domain adds to a node's raw score, fewer is better; None where nothing was scored.

    `weight`: of one pod, ln(`size` + 2); `size`: domains of feasible nodes (hostname: feasible nodes).
    """

    rule: Constraint
    domains: Domains
    weight: float | None
    size: int | None
    points: list[float | None]


@dataclass(frozen=True, slots=True)
class Domains:
    """The values of a label that nodes have, in the order met; arrays are parallel to `values`.

    `counted`: nodes whose pods count; `feasible`: nodes that passed. `unlabelled`: nodes without the label.
    """

    values: list[str]
    pods: Int64Array
    nodes: Int64Array
    counted: Int64Array
    feasible: Int64Array
    unlabelled: int


def hard_spread(cycle: Cycle) -> list[HardSpread]:
    """The constraints that Filter enforced; none where PreFilter left them out. To be called after Filter."""
    state = cycle.state.get(plugin.HARD_STATE)
    return [_hard(cycle, one) for one in state.constraints] if state is not None else []


def _hard(cycle: Cycle, one: Hard) -> HardSpread:
    found = _domains(cycle, one.rule.key, one.counted, one.counts)
    present = _present(cycle, one.rule.key)
    skew = one.counts[present] + one.matches_itself - one.least
    return HardSpread(one.rule, found, one.matches_itself, one.least, one.domains.size, skew, skew <= one.rule.max_skew)


def soft_spread(cycle: Cycle) -> list[SoftSpread]:
    """The constraints that only score. To be called after Filter; without PreScore there are no points."""
    found = [one for one in cycle.at("score") if isinstance(one, plugin.PodTopologySpread)]
    if not found or cycle.pre_filter_status.is_rejected:
        return []
    try:
        rules = found[0].constraints(cycle, SOFT)
    except Invalid:
        return []
    requires_all = bool(cycle.pod.pod.spec.topology_spread_constraints) or found[0].is_list
    keys = keys_of(rules) if requires_all else ()
    state = cycle.state.get(plugin.PodTopologySpread.name)
    scored: Sequence[Soft | None] = state.constraints if state is not None else [None] * len(rules)
    return [_soft(cycle, rule, keys, one) for rule, one in zip(rules, scored, strict=True)]


def _soft(cycle: Cycle, rule: Constraint, keys: tuple[str, ...], one: Soft | None) -> SoftSpread:
    """For hostname, pods of every node count, whatever the policies say."""
    counter = counter_of(cycle, rule)
    counted = ALL if rule.key == HOSTNAME else counted_rows(cycle, rule, keys)
    found = _domains(cycle, rule.key, counted, cycle.snapshot.columns.domains.sums(counter, rule.key, counted))
    if one is None:
        return SoftSpread(rule, found, None, None, [None] * len(found.values))
    pairs = zip(found.pods.tolist(), found.feasible.tolist(), strict=True)
    points = [pods * one.weight + float(rule.max_skew - 1) if feasible else None for pods, feasible in pairs]
    return SoftSpread(rule, found, one.weight, one.domains, points)


def _present(cycle: Cycle, key: str) -> Int64Array:
    """Numbers of the label's values that some node has."""
    exists = cycle.snapshot.columns.domains.of(key).exists
    return np.flatnonzero(exists[1:]).astype(np.int64) + 1


def _domains(cycle: Cycle, key: str, counted: Counted, sums: Int64Array) -> Domains:
    columns, present = cycle.snapshot.columns, _present(cycle, key)
    numbers, texts = columns.domains.of(key).numbers, columns.label(key)[1].values

    def in_each(rows: BoolArray | Int64Array | None) -> Int64Array:
        return np.bincount(numbers if rows is None else numbers[rows], minlength=len(sums)).astype(np.int64)

    nodes = in_each(None)
    return Domains(
        [texts[number] or "" for number in present.tolist()],
        sums[present],
        nodes[present],
        in_each(counted.rows)[present],
        in_each(cycle.feasible)[present],
        int(nodes[0]),
    )
