"""Brings pods together or keeps them apart, by labels of the pods around. Source: v1.34.1 plugins/interpodaffinity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from scheduler.engine.arithmetic.affinity_domains import (
    Domains,
    RequiredState,
    add,
    by_domain,
    change,
    meeting,
    namespace_labels,
    required_state,
)
from scheduler.engine.arithmetic.pod_affinity import Terms, incoming_terms
from scheduler.engine.cluster.pod_counters import role_of
from scheduler.engine.errors import Invalid
from scheduler.engine.explain import company
from scheduler.engine.explain.checks import with_verdict
from scheduler.engine.explain.company import Met
from scheduler.engine.explain.scales import between
from scheduler.engine.fixes.change import Fix
from scheduler.engine.fixes.company import prefer_only
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

if TYPE_CHECKING:
    from scheduler.engine.cluster.keys import Key
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.prepared import Scoring

_NOT_NEAR = unresolvable("node(s) didn't match pod affinity rules")
_NEAR = unschedulable("node(s) didn't match pod anti-affinity rules")
_NEAR_EXISTING = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules")
FILTER_STATE = "InterPodAffinity.filter"


class InterPodAffinityArgs(msgspec.Struct, frozen=True, rename="camel"):
    """`hard_pod_affinity_weight` (0 to 100): what a placed pod's required affinity adds to the score."""

    hard_pod_affinity_weight: int = 1
    ignore_preferred_terms_of_existing_pods: bool = False


@dataclass(frozen=True, slots=True)
class _Score:
    """By topology key: numbers of the label's values per row, and the weight of each value."""

    values: dict[str, NDArray[np.intp]]
    weights: Domains
    texts: dict[str, list[str | None]]

    def take(self, rows: Int64Array) -> _Score:
        return _Score({key: values[rows] for key, values in self.values.items()}, self.weights, self.texts)


class InterPodAffinity(Plugin):
    name = "InterPodAffinity"
    weight = 2
    Args = InterPodAffinityArgs

    # --- Filter -------------------------------------------------------------------------------------------------------

    def pre_filter(self, cycle: Cycle) -> PreFilterResult:
        if _has_no_terms(cycle):
            return SKIPPED
        try:
            terms = incoming_terms(cycle.pod, cycle.snapshot.kind("Namespace"))
        except Invalid as problem:
            return PreFilterResult(unresolvable(f"parsing pod: {problem}"))
        state = required_state(cycle, terms)
        if not terms.required and not terms.required_anti and not any(map(np.any, state.existing.values())):
            return SKIPPED
        cycle.state[FILTER_STATE] = state
        return PASSED

    def without_pre_filter(self, cycle: Cycle) -> Status:
        return error('error reading "PreFilterInterPodAffinity" from cycleState: not found')

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        state: RequiredState = cycle.state[FILTER_STATE]
        index = np.where(
            ~_is_near(cycle, state, nodes),
            1,
            np.where(_any_in(state.away, nodes), 2, np.where(_any_in(state.existing, nodes), 3, 0)),
        )
        return Verdict.of(index.astype(np.int16), (SUCCESS, _NOT_NEAR, _NEAR, _NEAR_EXISTING))

    def pods_changed(self, cycle: Cycle, row: int, added: list[PodInfo], removed: list[PodInfo]) -> None:
        state: RequiredState = cycle.state[FILTER_STATE]
        for pods, sign in ((added, 1), (removed, -1)):
            for pod in pods:
                change(cycle, state, row, pod, sign)

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """Pods met in the node's domains: some for each required term, none of those that must be away."""
        state: RequiredState = cycle.state[FILTER_STATE]
        anywhere = sum(int(np.count_nonzero(counts)) for counts in state.near.values())
        itself = state.matches_all(cycle.pod)
        near = company.near(_met(cycle, row, state.near), anywhere, itself) if state.near else []
        away = company.away("anti-affinity", _met(cycle, row, state.away))
        existing = company.away("anti-affinity of placed pods", _met(cycle, row, state.existing))
        parts = ((near[-1:], _NOT_NEAR), (away, _NEAR), (existing, _NEAR_EXISTING))
        reasons = [(step.name, status.message) for steps, status in parts for step in steps]
        return with_verdict([*near, *away, *existing], reasons)

    def fixes(self, cycle: Cycle, rows: Int64Array) -> list[Fix]:
        """Demands that become preferences."""
        verdict = self.filter(cycle, Nodes(cycle.snapshot.columns, rows))
        return prefer_only(cycle, cycle.state[FILTER_STATE], rows, verdict.index.astype(np.int64))

    # --- Score --------------------------------------------------------------------------------------------------------

    def pre_score(self, cycle: Cycle) -> Status:
        if _has_no_terms(cycle):
            return SKIP
        try:
            terms = incoming_terms(cycle.pod, cycle.snapshot.kind("Namespace"))
        except Invalid as problem:
            return error(f"parsing pod: {problem}")
        has_own = bool(terms.preferred or terms.preferred_anti)
        if self.args.ignore_preferred_terms_of_existing_pods and not has_own:
            return SKIP
        weighted = self._own_weights(cycle, terms) + self._weights_of_placed(cycle)
        columns = cycle.snapshot.columns
        found = [(key, by_domain(columns, key, counter), sign) for key, counter, sign in weighted]
        if not any(domains.any() for _, domains, _ in found):
            return SKIP
        weights: Domains = {}
        for key, domains, sign in found:
            add(weights, key, domains * sign)
        values = {key: columns.domains.of(key).numbers for key in weights}
        cycle.state[self.name] = _Score(values, weights, {key: columns.label(key)[1].values for key in weights})
        return SUCCESS

    def _own_weights(self, cycle: Cycle, terms: Terms) -> list[tuple[str, Key, int]]:
        """(topology key, counter of matching pods, signed weight) of the pod's own preferred terms."""
        signed = [*terms.preferred, *((-weight, term) for weight, term in terms.preferred_anti)]
        return [(term.key, meeting(cycle, term), weight) for weight, term in signed]

    def _weights_of_placed(self, cycle: Cycle) -> list[tuple[str, Key, int]]:
        """The same for terms of placed pods that match this one; their counters add up weights already."""
        signs = {"required": self.args.hard_pod_affinity_weight, "preferred": 1, "preferred-anti": -1}
        columns, labels = cycle.snapshot.columns, namespace_labels(cycle)
        return [
            (columns.counters.terms[key].key, key, sign)
            for key in columns.counters.terms_matching(cycle.pod, labels)
            if key in columns.vectors and (sign := signs.get(role_of(key), 0))
        ]

    def without_pre_score(self, cycle: Cycle) -> Status:
        return error('failed to read "PreScoreInterPodAffinity" from cycleState: not found')

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        state: _Score = cycle.state[self.name]
        total = np.zeros(len(nodes), np.int64)
        for key, weights in state.weights.items():
            total += weights[nodes.take(state.values[key])]
        return total

    def normalize(self, cycle: Scoring, scores: Int64Array) -> Int64Array:
        lowest, highest = int(scores.min()), int(scores.max())
        if highest == lowest:
            return np.zeros(len(scores), np.int64)
        return (float(MAX_NODE_SCORE) * ((scores - lowest) / float(highest - lowest))).astype(np.int64)

    def explain_normalize(self, cycle: Scoring, scores: Int64Array, place: int) -> list[Step]:
        return between(scores, place)

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        state: _Score = cycle.state[self.name]
        steps = [
            Step(f"{key}={state.texts[key][number]}", "value", (weight,), weight, "weights of the terms met there")
            for key, weights in state.weights.items()
            if (number := int(state.values[key][row]))
            for weight in [int(weights[number])]
        ]
        return [*steps, Step("score", "sum", tuple(step.name for step in steps), sum(step.result for step in steps))]


def _has_no_terms(cycle: Cycle) -> bool:
    """Neither the pod nor any that was ever placed."""
    return not cycle.pod.shape.has_pod_affinity and not cycle.snapshot.columns.counters.terms


def _is_near(cycle: Cycle, state: RequiredState, nodes: Nodes) -> BoolArray:
    """Required affinity. Where no pod at all matches, a pod that matches its own terms may be the first."""
    has_keys, has_pods = np.ones(len(nodes), np.bool_), np.ones(len(nodes), np.bool_)
    for key, counts in state.near.items():
        values = nodes.take(cycle.snapshot.columns.label(key)[0])
        has_keys &= values > 0
        has_pods &= counts[values] > 0
    nobody = not any(counts.any() for counts in state.near.values())
    return has_keys if nobody and state.matches_all(cycle.pod) else has_keys & has_pods


def _met(cycle: Cycle, row: int, domains: Domains) -> Met:
    """What each key comes to on one node."""
    labels = {key: cycle.snapshot.columns.label(key) for key in domains}
    numbers = {key: int(values[row]) for key, (values, _) in labels.items()}
    return {key: (labels[key][1].values[numbers[key]], int(counts[numbers[key]])) for key, counts in domains.items()}


def _any_in(domains: Domains, nodes: Nodes) -> BoolArray:
    found = np.zeros(len(nodes), np.bool_)
    for key, counts in domains.items():
        found |= counts[nodes.take(nodes.columns.label(key)[0])] > 0
    return found
