"""Spreads pods that belong together over zones, hosts or other domains. Source: v1.34.1 plugins/podtopologyspread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np

from scheduler.engine.arithmetic import golang
from scheduler.engine.arithmetic.spread import (
    HARD,
    SOFT,
    SYSTEM_DEFAULTS,
    Constraint,
    default_constraints,
    own_constraints,
)
from scheduler.engine.arithmetic.spread_hard import Hard, HardState, hard_state, matching
from scheduler.engine.arithmetic.spread_rows import keys_of
from scheduler.engine.arithmetic.spread_soft import Soft, SoftState, normalized, soft_state
from scheduler.engine.errors import Invalid
from scheduler.engine.explain.checks import with_verdict
from scheduler.engine.explain.scales import fewest_first
from scheduler.engine.fixes.change import Fix
from scheduler.engine.fixes.spreading import spread_otherwise
from scheduler.engine.framework import (
    PASSED,
    SKIP,
    SKIPPED,
    SUCCESS,
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
from scheduler.engine.objects import TopologySpreadConstraint

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.prepared import Scoring

HARD_STATE = "PodTopologySpread.filter"
_TOO_SKEWED = unschedulable("node(s) didn't match pod topology spread constraints")
_NO_LABEL = unresolvable("node(s) didn't match pod topology spread constraints (missing required label)")


class PodTopologySpreadArgs(msgspec.Struct, frozen=True, rename="camel"):
    """`default_constraints` count for pods without own ones, if `defaulting_type` is List."""

    defaulting_type: Literal["System", "List"] = "System"
    default_constraints: tuple[TopologySpreadConstraint, ...] = ()


class PodTopologySpread(Plugin):
    name = "PodTopologySpread"
    weight = 2
    Args = PodTopologySpreadArgs
    lower_is_better = True

    def __init__(self, args: PodTopologySpreadArgs | None = None) -> None:
        super().__init__(args)
        self.is_list = self.args.defaulting_type == "List"
        self.defaults = self.args.default_constraints if self.is_list else SYSTEM_DEFAULTS

    def constraints(self, cycle: Cycle, action: str) -> Sequence[Constraint]:
        """The pod's own, else the default ones. `action`: HARD or SOFT. Raises Invalid."""
        pod = cycle.pod.pod
        if pod.spec.topology_spread_constraints:
            return own_constraints(cycle.pod, action)
        return default_constraints(cycle.snapshot, pod, self.defaults, action)

    # --- hard constraints ---------------------------------------------------------------------------------------------

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        try:
            rules = self.constraints(cycle, HARD)
        except Invalid as problem:
            return PreFilterResult(error(f"obtaining pod's hard topology spread constraints: {problem}"))
        if not rules:
            return SKIPPED
        cycle.state[HARD_STATE] = hard_state(cycle, rules)
        return PASSED

    def without_pre_filter(self, cycle: Cycle) -> Status:
        return error('reading "PreFilterPodTopologySpread" from cycleState: not found')

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        state: HardState = cycle.state[HARD_STATE]
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
        state: HardState = cycle.state[HARD_STATE]
        for one in state.constraints:
            if one.counted.rows is None or one.counted.rows[row]:
                change = matching(one, cycle.pod, added) - matching(one, cycle.pod, removed)
                one.counts[one.domains.numbers[row]] += change

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """For each constraint, whether the node has its label, and the skew that one pod more would make."""
        steps, reasons = list[Step](), list[tuple[str, str]]()
        state: HardState = cycle.state[HARD_STATE]
        for one in state.constraints:
            domain, values = int(one.domains.numbers[row]), cycle.snapshot.columns.label(one.rule.key)[1].values
            label = Step(f"label {one.rule.key}", "exists", ((values[domain],),), domain > 0)
            steps, reasons = [*steps, label], [*reasons, (label.name, _NO_LABEL.message)]
            if label.result:
                skew = _skew(one, int(one.counts[domain]))
                steps, reasons = [*steps, skew], [*reasons, (skew.name, _TOO_SKEWED.message)]
        return with_verdict(steps, reasons)

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """A larger skew over what the nodes have in common, or other domains and pods counted."""
        state: HardState = cycle.state[HARD_STATE]
        return spread_otherwise(cycle, state.constraints, rows)

    # --- soft constraints ---------------------------------------------------------------------------------------------

    def pre_score(self, cycle: Cycle) -> Status:
        try:
            rules = self.constraints(cycle, SOFT)
        except Invalid as problem:
            return error(f"obtaining pod's soft topology spread constraints: {problem}")
        if not rules:
            return SKIP
        requires_all = bool(cycle.pod.pod.spec.topology_spread_constraints) or self.is_list
        cycle.state[self.name] = soft_state(cycle, rules, keys_of(rules) if requires_all else ())
        return SUCCESS

    def without_pre_score(self, cycle: Cycle) -> Status:
        return error('error reading "PreScorePodTopologySpread" from cycleState: not found')

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        state: SoftState = cycle.state[self.name]
        if len(state.constraints) == 1 and state.ignored is None and state.constraints[0].has_key is None:
            return state.constraints[0].scores(nodes.take(state.constraints[0].counts))
        total = np.zeros(len(nodes))
        for one in state.constraints:
            term = one.term(nodes.take(one.counts))
            total = total + term if one.has_key is None else np.where(nodes.take(one.has_key), total + term, total)
        scores = golang.rounded(total)
        return scores if state.ignored is None else np.where(nodes.take(state.ignored), 0, scores)

    def normalize(self, cycle: Scoring, scores: Int64Array) -> Int64Array:
        state: SoftState = cycle.state[self.name]
        if state.ignored is None:
            return normalized(scores, scores)
        counted = ~cycle.nodes.take(state.ignored)
        if not counted.any():
            return np.zeros(len(scores), np.int64)
        return np.where(counted, normalized(scores, scores[counted]), 0)

    def explain_normalize(self, cycle: Scoring, scores: Int64Array, place: int) -> list[Step]:
        state: SoftState = cycle.state[self.name]
        counted = scores if state.ignored is None else scores[~cycle.nodes.take(state.ignored)]
        if state.ignored is not None and state.ignored[cycle.rows[place]]:
            return [Step("normalised", "value", (0,), 0, "the node lacks a label")]
        return fewest_first(int(scores[place]), counted)

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        state: SoftState = cycle.state[self.name]
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


def _skew(one: Hard, pods: int) -> Step:
    inputs = (pods, one.matches_itself, one.least, one.rule.max_skew)
    fits = pods + one.matches_itself - one.least <= one.rule.max_skew
    return Step(one.rule.key, "within_skew", inputs, fits, "pods in the domain + itself - minimum, at most maxSkew")


def _term(number: int, one: Soft, count: int) -> list[Step]:
    weight, term = f"weight {number}", f"term {number}"
    value = float(count) * one.weight + float(one.rule.max_skew - 1)
    return [
        Step(weight, "domain_weight", (one.domains,), one.weight, f"{one.rule.key}: ln(domains + 2)"),
        Step(term, "spread_term", (count, weight, one.rule.max_skew), value, "pods × weight + maxSkew - 1"),
    ]
