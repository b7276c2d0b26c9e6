"""Spreads pods that belong together over zones, hosts or other domains. Source: v1.34.1 plugins/podtopologyspread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from scheduler.engine import golang
from scheduler.engine.errors import Invalid
from scheduler.engine.framework import (
    MAX_NODE_SCORE,
    SKIP,
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
from scheduler.engine.selection import affinity_matches, kept, tolerated
from scheduler.engine.spread import (
    HARD,
    HOSTNAME,
    SOFT,
    SYSTEM_DEFAULTS,
    Constraint,
    constraints_of,
    default_constraints,
)

if TYPE_CHECKING:
    from scheduler.engine.cycle import Cycle
    from scheduler.engine.pod_info import PodInfo
    from scheduler.engine.prepared import Scoring

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
    """A hard constraint. `values`: number of the domain of each row, 0 without one; `counts` and `exists`: per domain.

    `counted`: rows whose pods count.
    """

    rule: Constraint
    values: NDArray[np.int32]
    counted: BoolArray
    counts: Int64Array
    exists: BoolArray
    matches_itself: int

    @property
    def least(self) -> int:
        """The global minimum that skew is measured against."""
        if int(self.exists.sum()) < self.rule.min_domains:
            return 0
        return int(self.counts[self.exists].min(initial=_MAX_INT32))


@dataclass(frozen=True, slots=True)
class _HardState:
    constraints: list[_Hard]

    def clone(self) -> _HardState:
        return _HardState([replace(one, counts=one.counts.copy()) for one in self.constraints])


@dataclass(frozen=True, slots=True)
class _Soft:
    """A soft constraint. `has_key` and `counts` are per row: pods in the row's domain, or on the node for hostname."""

    rule: Constraint
    has_key: BoolArray
    counts: Int64Array
    domains: int
    weight: float


@dataclass(frozen=True, slots=True)
class _SoftState:
    """`ignored`: per row, feasible nodes that lack a label. They score 0."""

    constraints: list[_Soft]
    ignored: BoolArray

    def take(self, rows: Int64Array) -> _SoftState:
        parts = [replace(one, has_key=one.has_key[rows], counts=one.counts[rows]) for one in self.constraints]
        return _SoftState(parts, self.ignored[rows])


class PodTopologySpread(Plugin):
    name = "PodTopologySpread"
    weight = 2
    Args = PodTopologySpreadArgs
    lower_is_better = True

    def __init__(self, args: PodTopologySpreadArgs | None = None) -> None:
        super().__init__(args)
        self.is_list = self.args.defaulting_type == "List"
        self.defaults = self.args.default_constraints if self.is_list else SYSTEM_DEFAULTS

    def _constraints(self, cycle: Cycle, action: str) -> list[Constraint]:
        pod = cycle.pod.pod
        if pod.spec.topology_spread_constraints:
            return constraints_of(pod, action)
        return default_constraints(cycle.snapshot, pod, self.defaults, action)

    # --- hard constraints ---------------------------------------------------------------------------------------------

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        try:
            rules = self._constraints(cycle, HARD)
        except Invalid as problem:
            return PreFilterResult(error(f"obtaining pod's hard topology spread constraints: {problem}"))
        if not rules:
            return PreFilterResult(SKIP)
        labelled = _has_all_keys(cycle, rules)
        cycle.state[_HARD_STATE] = _HardState([_hard(cycle, rule, labelled) for rule in rules])
        return PreFilterResult()

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        state: _HardState = cycle.state[_HARD_STATE]
        index = np.zeros(len(nodes), np.int16)
        for one in state.constraints:
            values = nodes.take(one.values)
            skewed = one.counts[values] + (one.matches_itself - one.least) > one.rule.max_skew
            index = np.where(index > 0, index, np.where(values == 0, 1, np.where(skewed, 2, 0)))
        return Verdict.of(index.astype(np.int16), (SUCCESS, _NO_LABEL, _TOO_SKEWED))

    def pods_changed(self, cycle: Cycle, row: int, added: list[PodInfo], removed: list[PodInfo]) -> None:
        """Here a terminating pod and an empty selector count, unlike at first."""
        state: _HardState = cycle.state[_HARD_STATE]
        for one in state.constraints:
            if one.counted[row]:
                change = _matching(one, cycle.pod, added) - _matching(one, cycle.pod, removed)
                one.counts[one.values[row]] += change

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        steps: list[Step] = []
        state: _HardState = cycle.state[_HARD_STATE]
        for one in state.constraints:
            if not one.values[row]:
                steps.append(Step(one.rule.key, "value", (False,), False, "the node lacks the label"))
                continue
            matching, limit = int(one.counts[one.values[row]]), one.rule.max_skew
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
        labelled = _has_all_keys(cycle, rules) if requires_all else np.ones(len(cycle.snapshot), np.bool_)
        cycle.state[self.name] = _SoftState([_soft(cycle, rule, labelled) for rule in rules], ~labelled)
        return SUCCESS

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        state: _SoftState = cycle.state[self.name]
        total = np.zeros(len(nodes))
        for one in state.constraints:
            term = nodes.take(one.counts) * one.weight + float(one.rule.max_skew - 1)
            total = np.where(nodes.take(one.has_key), total + term, total)
        return np.where(nodes.take(state.ignored), 0, golang.rounded(total))

    def normalize(self, cycle: Scoring, scores: Int64Array) -> Int64Array:
        state: _SoftState = cycle.state[self.name]
        counted = ~cycle.nodes.take(state.ignored)
        if not counted.any():
            return np.zeros(len(scores), np.int64)
        highest, lowest = max(0, int(scores[counted].max())), int(scores[counted].min())
        if highest == 0:
            return np.where(counted, MAX_NODE_SCORE, 0)
        return np.where(counted, MAX_NODE_SCORE * (highest + lowest - scores) // highest, 0)

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        state: _SoftState = cycle.state[self.name]
        if state.ignored[row]:
            return [Step("score", "value", (0,), 0, "the node lacks a label")]
        steps: list[Step] = []
        for number, one in enumerate(state.constraints):
            if one.has_key[row]:
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


def _has_all_keys(cycle: Cycle, rules: list[Constraint]) -> BoolArray:
    has = np.ones(len(cycle.snapshot), np.bool_)
    for rule in rules:
        has &= cycle.snapshot.columns.label(rule.key)[0] > 0
    return has


def _is_stated(required: RequiredNodeAffinity) -> bool:
    return required.affinity is not None or not required.labels.is_empty


def _included(cycle: Cycle, rule: Constraint) -> BoolArray:
    """Rows that the inclusion policies let count."""
    columns, pod = cycle.snapshot.columns, cycle.pod
    included = np.ones(len(cycle.snapshot), np.bool_)
    if rule.honors_affinity and _is_stated(required := pod.shape.required_node_affinity):
        included &= kept(columns, ("affinity", required), "node", lambda nodes: affinity_matches(nodes, required))
    if rule.honors_taints:
        tolerations = pod.pod.spec.tolerations or []
        key = ("tolerated", pod.shape.tolerations_key)
        included &= kept(columns, key, "node", lambda nodes: tolerated(nodes, tolerations))
    return included


def _matching_pods(cycle: Cycle, rule: Constraint) -> Int64Array:
    """Per row, the pods of the pod's namespace that the selector counts."""
    namespace = cycle.pod.namespace
    key = ("count", "spread", namespace, _text(rule))
    return cycle.snapshot.count(key, lambda pod: rule.counts(namespace, pod))


def _text(rule: Constraint) -> str:
    return repr(rule.selector)


def _hard(cycle: Cycle, rule: Constraint, labelled: BoolArray) -> _Hard:
    values, vocabulary = cycle.snapshot.columns.label(rule.key)
    counted = labelled & _included(cycle, rule)
    counts = np.bincount(values[counted], _matching_pods(cycle, rule)[counted], len(vocabulary)).astype(np.int64)
    exists = np.bincount(values[counted], minlength=len(vocabulary)) > 0
    return _Hard(rule, values, counted, counts, exists, int(rule.selector.matches(cycle.pod.labels)))


def _matching(one: _Hard, pod: PodInfo, others: list[PodInfo]) -> int:
    same = (other for other in others if other.namespace == pod.namespace)
    return sum(one.rule.selector.matches(other.labels) for other in same)


def _soft(cycle: Cycle, rule: Constraint, labelled: BoolArray) -> _Soft:
    """Domains are those of feasible nodes; pods are counted on all nodes."""
    raw_values, vocabulary = cycle.snapshot.columns.label(rule.key)
    matching, feasible = _matching_pods(cycle, rule), cycle.feasible[labelled[cycle.feasible]]
    if rule.key == HOSTNAME:
        return _Soft(rule, raw_values > 0, matching, len(feasible), golang.log(float(len(feasible) + 2)))
    values = _with_empty_as_missing(raw_values, vocabulary)
    exists = np.bincount(values[feasible], minlength=len(vocabulary)) > 0
    counted = labelled & _included(cycle, rule)
    totals = np.bincount(values[counted], matching[counted], len(vocabulary)).astype(np.int64)
    domains = int(exists.sum())
    per_row = np.where(exists, totals, 0)[values]
    return _Soft(rule, raw_values > 0, per_row, domains, golang.log(float(domains + 2)))


def _with_empty_as_missing(values: NDArray[np.int32], vocabulary: Any) -> NDArray[np.int32]:
    """A missing label and an empty value are one domain."""
    empty = vocabulary.find("")
    return values if empty < 0 else np.where(values == empty, 0, values).astype(np.int32)
