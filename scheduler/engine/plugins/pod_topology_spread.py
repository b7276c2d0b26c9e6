"""Spreads pods that belong together over zones, hosts or other domains. Source: v1.34.1 plugins/podtopologyspread."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from scheduler.engine.arithmetic import golang
from scheduler.engine.arithmetic.spread import (
    HARD,
    HOSTNAME,
    SOFT,
    SYSTEM_DEFAULTS,
    Constraint,
    default_constraints,
    own_constraints,
)
from scheduler.engine.cluster.domains import ALL, Counted, Domains
from scheduler.engine.cluster.selection import affinity_matches, kept, tolerated
from scheduler.engine.errors import Invalid
from scheduler.engine.framework import (
    MAX_NODE_SCORE,
    PASSED,
    SKIP,
    SKIPPED,
    SUCCESS,
    BoolArray,
    Int64Array,
    Nodes,
    Plugin,
    PreFilterResult,
    Status,
    Step,
    Verdict,
    error,
    unresolvable,
    unschedulable,
)
from scheduler.engine.labels import RequiredNodeAffinity
from scheduler.engine.objects import TopologySpreadConstraint

if TYPE_CHECKING:
    from scheduler.engine.cluster.columns import Key
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.prepared import Scoring

_HARD_STATE = "PodTopologySpread.filter"
_MAX_INT32 = 2**31 - 1
_TOO_SKEWED = unschedulable("node(s) didn't match pod topology spread constraints")
_NO_LABEL = unresolvable("node(s) didn't match pod topology spread constraints (missing required label)")


class PodTopologySpreadArgs(msgspec.Struct, frozen=True, rename="camel"):
    """`default_constraints` count for pods without own ones, if `defaulting_type` is List."""

    defaulting_type: Literal["System", "List"] = "System"
    default_constraints: tuple[TopologySpreadConstraint, ...] = ()


@dataclass(frozen=True, slots=True)
class _Hard:
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
class _HardState:
    constraints: list[_Hard]

    def clone(self) -> _HardState:
        return _HardState([replace(one, counts=one.counts.copy()) for one in self.constraints])


@dataclass(frozen=True, slots=True)
class _Soft:
    """A soft constraint. `has_key` and `counts` are per row: pods in the row's domain, or on the node for hostname.

    `has_key` is None where all rows have it.
    """

    rule: Constraint
    has_key: BoolArray | None
    counts: Int64Array
    domains: int
    weight: float


@dataclass(frozen=True, slots=True)
class _SoftState:
    """`ignored`: per row, feasible nodes that lack a label. They score 0. None: there are none."""

    constraints: list[_Soft]
    ignored: BoolArray | None

    def take(self, rows: Int64Array) -> _SoftState:
        parts = [replace(one, has_key=_part(one.has_key, rows), counts=one.counts[rows]) for one in self.constraints]
        return _SoftState(parts, _part(self.ignored, rows))


def _part(rows: BoolArray | None, some: Int64Array) -> BoolArray | None:
    return None if rows is None else rows[some]


class PodTopologySpread(Plugin):
    name = "PodTopologySpread"
    weight = 2
    Args = PodTopologySpreadArgs
    lower_is_better = True

    def __init__(self, args: PodTopologySpreadArgs | None = None) -> None:
        super().__init__(args)
        self.is_list = self.args.defaulting_type == "List"
        self.defaults = self.args.default_constraints if self.is_list else SYSTEM_DEFAULTS

    def _constraints(self, cycle: Cycle, action: str) -> Sequence[Constraint]:
        pod = cycle.pod.pod
        if pod.spec.topology_spread_constraints:
            return own_constraints(cycle.pod, action)
        return default_constraints(cycle.snapshot, pod, self.defaults, action)

    # --- hard constraints ---------------------------------------------------------------------------------------------

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        try:
            rules = self._constraints(cycle, HARD)
        except Invalid as problem:
            return PreFilterResult(error(f"obtaining pod's hard topology spread constraints: {problem}"))
        if not rules:
            return SKIPPED
        cycle.state[_HARD_STATE] = _HardState([_hard(cycle, rule, _keys(rules)) for rule in rules])
        return PASSED

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        state: _HardState = cycle.state[_HARD_STATE]
        index = np.zeros(len(nodes), np.int16)
        for one in state.constraints:
            table = one.verdicts
            if not table[one.present].any():
                continue
            verdicts = table[nodes.take(one.domains.numbers)]
            index = np.where(index > 0, index, verdicts) if index.any() else verdicts
        return Verdict.of(index, (SUCCESS, _NO_LABEL, _TOO_SKEWED))

    def pods_changed(self, cycle: Cycle, row: int, added: list[PodInfo], removed: list[PodInfo]) -> None:
        """Here a terminating pod and an empty selector count, unlike at first."""
        state: _HardState = cycle.state[_HARD_STATE]
        for one in state.constraints:
            if one.counted.rows is None or one.counted.rows[row]:
                change = _matching(one, cycle.pod, added) - _matching(one, cycle.pod, removed)
                one.counts[one.domains.numbers[row]] += change

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        steps: list[Step] = []
        state: _HardState = cycle.state[_HARD_STATE]
        for one in state.constraints:
            if not one.domains.numbers[row]:
                steps.append(Step(one.rule.key, "value", (False,), False, "the node lacks the label"))
                continue
            matching, limit = int(one.counts[one.domains.numbers[row]]), one.rule.max_skew
            inputs = (matching, one.matches_itself, one.least, limit)
            fits = matching + one.matches_itself - one.least <= limit
            steps.append(Step(one.rule.key, "within_skew", inputs, fits, "pods in the domain + itself - minimum"))
        return steps

    # --- soft constraints ---------------------------------------------------------------------------------------------

    def pre_score(self, cycle: Cycle) -> Status:
        try:
            rules = self._constraints(cycle, SOFT)
        except Invalid as problem:
            return error(f"obtaining pod's soft topology spread constraints: {problem}")
        if not rules:
            return SKIP
        requires_all = bool(cycle.pod.pod.spec.topology_spread_constraints) or self.is_list
        keys = _keys(rules) if requires_all else ()
        labelled = _labelled(cycle, keys)
        parts = [_soft(cycle, rule, keys, labelled) for rule in rules]
        cycle.state[self.name] = _SoftState(parts, None if labelled is None else ~labelled)
        return SUCCESS

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        state: _SoftState = cycle.state[self.name]
        total = np.zeros(len(nodes))
        for one in state.constraints:
            term = nodes.take(one.counts) * one.weight + float(one.rule.max_skew - 1)
            total = total + term if one.has_key is None else np.where(nodes.take(one.has_key), total + term, total)
        scores = golang.rounded(total)
        return scores if state.ignored is None else np.where(nodes.take(state.ignored), 0, scores)

    def normalize(self, cycle: Scoring, scores: Int64Array) -> Int64Array:
        state: _SoftState = cycle.state[self.name]
        if state.ignored is None:
            return _normalized(scores, scores)
        counted = ~cycle.nodes.take(state.ignored)
        if not counted.any():
            return np.zeros(len(scores), np.int64)
        return np.where(counted, _normalized(scores, scores[counted]), 0)

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        state: _SoftState = cycle.state[self.name]
        if state.ignored is not None and state.ignored[row]:
            return [Step("score", "value", (0,), 0, "the node lacks a label")]
        steps: list[Step] = []
        for number, one in enumerate(state.constraints):
            if one.has_key is None or one.has_key[row]:
                steps += _term(number, one, int(one.counts[row]))
        terms = [step for step in steps if step.op == "spread_term"]
        total = 0.0
        for step in terms:
            total += step.result
        steps.append(Step("sum", "sum", (0.0, *(step.name for step in terms)), total))
        return [*steps, Step("score", "round", ("sum",), int(golang.rounded(np.array([total]))[0]))]


def _term(number: int, one: _Soft, count: int) -> list[Step]:
    weight, term = f"weight {number}", f"term {number}"
    value = float(count) * one.weight + float(one.rule.max_skew - 1)
    return [
        Step(weight, "domain_weight", (one.domains,), one.weight, f"{one.rule.key}: ln(domains + 2)"),
        Step(term, "spread_term", (count, weight, one.rule.max_skew), value, "pods × weight + maxSkew - 1"),
    ]


def _normalized(scores: Int64Array, counted: Int64Array) -> Int64Array:
    """The fewer pods the better. `counted`: those scores among which highest and lowest are looked for."""
    highest, lowest = max(0, int(counted.max())), int(counted.min())
    if highest == 0:
        return np.full(len(scores), MAX_NODE_SCORE, np.int64)
    return MAX_NODE_SCORE * (highest + lowest - scores) // highest


# --- which rows count -------------------------------------------------------------------------------------------------


def _keys(rules: Sequence[Constraint]) -> tuple[str, ...]:
    return tuple([rule.key for rule in rules])


def _labelled(cycle: Cycle, keys: tuple[str, ...]) -> BoolArray | None:
    """Which rows have all labels; None: all rows."""
    columns = cycle.snapshot.columns
    if not any(columns.domains.of(key).exists[0] for key in keys):
        return None
    labelled: BoolArray = np.logical_and.reduce([columns.label(key)[0] > 0 for key in keys])
    return labelled


def _is_stated(required: RequiredNodeAffinity) -> bool:
    return required.affinity is not None or not required.labels.is_empty


def _counted(cycle: Cycle, rule: Constraint, keys: tuple[str, ...]) -> Counted:
    """Rows that have all labels and that the inclusion policies let count."""
    columns, pod = cycle.snapshot.columns, cycle.pod
    rows, names = [], list[Hashable]()
    if (labelled := _labelled(cycle, keys)) is not None:
        rows.append(labelled)
        names.append(keys)
    if rule.honors_affinity and _is_stated(required := pod.shape.required_node_affinity):
        names.append(("affinity", required))
        rows.append(kept(columns, names[-1], "node", lambda nodes: affinity_matches(nodes, required)))
    if rule.honors_taints:
        tolerations = pod.pod.spec.tolerations or []
        names.append(("tolerated", pod.shape.tolerations_key))
        rows.append(kept(columns, names[-1], "node", lambda nodes: tolerated(nodes, tolerations)))
    return Counted(tuple(names), np.logical_and.reduce(rows)) if rows else ALL


def _counter(cycle: Cycle, rule: Constraint) -> Key:
    """The column that counts, per row, the pods of the pod's namespace that the selector counts."""
    namespace = cycle.pod.namespace
    key = ("count", "spread", namespace, rule.selector)
    cycle.snapshot.count(key, lambda pod: rule.counts(namespace, pod))
    return key


def _hard(cycle: Cycle, rule: Constraint, keys: tuple[str, ...]) -> _Hard:
    sums, counted = cycle.snapshot.columns.domains, _counted(cycle, rule, keys)
    counts = sums.sums(_counter(cycle, rule), rule.key, counted)
    itself = int(rule.selector.matches(cycle.pod.labels))
    return _Hard(rule, sums.of(rule.key, counted), sums.of(rule.key).exists, counted, counts, itself)


def _matching(one: _Hard, pod: PodInfo, others: list[PodInfo]) -> int:
    same = (other for other in others if other.namespace == pod.namespace)
    return sum(one.rule.selector.matches(other.labels) for other in same)


def _soft(cycle: Cycle, rule: Constraint, keys: tuple[str, ...], labelled: BoolArray | None) -> _Soft:
    """Domains are those of feasible nodes; pods are counted on all nodes."""
    columns, counter = cycle.snapshot.columns, _counter(cycle, rule)
    everywhere = columns.domains.of(rule.key)
    has_key = everywhere.numbers > 0 if everywhere.exists[0] else None
    feasible = cycle.feasible if labelled is None else cycle.feasible[labelled[cycle.feasible]]
    if rule.key == HOSTNAME:
        weight = golang.log(float(len(feasible) + 2))
        return _Soft(rule, has_key, columns.vectors[counter], len(feasible), weight)
    numbers, totals = _with_empty_as_missing(cycle, rule, counter, keys)
    exists = np.bincount(numbers[feasible], minlength=len(totals)) > 0
    domains = int(exists.sum())
    return _Soft(rule, has_key, np.where(exists, totals, 0)[numbers], domains, golang.log(float(domains + 2)))


def _with_empty_as_missing(
    cycle: Cycle, rule: Constraint, counter: Key, keys: tuple[str, ...]
) -> tuple[NDArray[np.intp], Int64Array]:
    """Number of each row's domain, and pods per domain. A missing label and an empty value are one domain."""
    columns = cycle.snapshot.columns
    numbers = columns.domains.of(rule.key).numbers
    totals = columns.domains.sums(counter, rule.key, _counted(cycle, rule, keys))
    empty = columns.label_values[rule.key].find("")
    if empty < 0:
        return numbers, totals
    together = totals.copy()
    together[0] += totals[empty]
    return np.where(numbers == empty, 0, numbers), together
