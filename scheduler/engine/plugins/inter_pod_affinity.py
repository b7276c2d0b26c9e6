"""Brings pods together or keeps them apart, by labels of the pods around. Source: v1.34.1 plugins/interpodaffinity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from scheduler.engine.arithmetic.pod_affinity import Term, Terms, incoming_terms, readable_terms_of
from scheduler.engine.cluster.pod_counters import role_of
from scheduler.engine.errors import Invalid
from scheduler.engine.explain import company
from scheduler.engine.explain.checks import with_verdict
from scheduler.engine.explain.company import Met
from scheduler.engine.explain.scales import between
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
    from scheduler.engine.cluster.columns import Columns, Key
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle
    from scheduler.engine.cycle.prepared import Scoring

_NOT_NEAR = unresolvable("node(s) didn't match pod affinity rules")
_NEAR = unschedulable("node(s) didn't match pod anti-affinity rules")
_NEAR_EXISTING = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules")
_FILTER_STATE = "InterPodAffinity.filter"

Domains: TypeAlias = dict[str, Int64Array]
"""Topology key → pods (or weights) per number of the label's value; number 0, no label, is always 0."""


class InterPodAffinityArgs(msgspec.Struct, frozen=True, rename="camel"):
    """`hard_pod_affinity_weight` (0 to 100): what a placed pod's required affinity adds to the score."""

    hard_pod_affinity_weight: int = 1
    ignore_preferred_terms_of_existing_pods: bool = False


@dataclass(slots=True)
class _Filter:
    """`near`: pods that match all required terms; `away`: pods that own anti terms match; `existing`: placed pods whose
    anti terms match this one."""

    terms: Terms
    namespace_labels: dict[str, str]
    near: Domains = field(default_factory=dict)
    away: Domains = field(default_factory=dict)
    existing: Domains = field(default_factory=dict)

    def clone(self) -> _Filter:
        parts = ({key: counts.copy() for key, counts in one.items()} for one in (self.near, self.away, self.existing))
        return _Filter(self.terms, self.namespace_labels, *parts)

    def matches_all(self, pod: PodInfo) -> bool:
        return bool(self.terms.required) and all(term.matches(pod) for term in self.terms.required)


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
        labels = _namespace_labels(cycle)
        state = _Filter(terms, labels, existing=_existing(cycle, labels))
        if not terms.required and not terms.required_anti and not any(map(np.any, state.existing.values())):
            return SKIPPED
        if terms.required:
            counter = ("count", "all", tuple(term[1:] for term in terms.required))
            cycle.snapshot.count(counter, lambda pod: int(state.matches_all(pod)))
            for term in terms.required:
                _add(state.near, term.key, _by_domain(cycle.snapshot.columns, term.key, counter))
        for term in terms.required_anti:
            _add(state.away, term.key, _by_domain(cycle.snapshot.columns, term.key, _matching(cycle, term)))
        cycle.state[_FILTER_STATE] = state
        return PASSED

    def filter(self, cycle: Cycle, nodes: Nodes) -> Verdict:
        state: _Filter = cycle.state[_FILTER_STATE]
        index = np.where(
            ~_is_near(cycle, state, nodes),
            1,
            np.where(_any_in(state.away, nodes), 2, np.where(_any_in(state.existing, nodes), 3, 0)),
        )
        return Verdict.of(index.astype(np.int16), (SUCCESS, _NOT_NEAR, _NEAR, _NEAR_EXISTING))

    def pods_changed(self, cycle: Cycle, row: int, added: list[PodInfo], removed: list[PodInfo]) -> None:
        state: _Filter = cycle.state[_FILTER_STATE]
        for pods, sign in ((added, 1), (removed, -1)):
            for pod in pods:
                _change(cycle, state, row, pod, sign)

    def explain_filter(self, cycle: Cycle, row: int) -> list[Step]:
        """Pods met in the node's domains: some for each required term, none of those that must be away."""
        state: _Filter = cycle.state[_FILTER_STATE]
        anywhere = sum(int(counts.sum()) for counts in state.near.values())
        itself = state.matches_all(cycle.pod)
        near = company.near(_met(cycle, row, state.near), anywhere, itself) if state.near else []
        away = company.away("anti-affinity", _met(cycle, row, state.away))
        existing = company.away("anti-affinity of placed pods", _met(cycle, row, state.existing))
        parts = ((near[-1:], _NOT_NEAR), (away, _NEAR), (existing, _NEAR_EXISTING))
        reasons = [(step.name, status.message) for steps, status in parts for step in steps]
        return with_verdict([*near, *away, *existing], reasons)

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
        found = [(key, _by_domain(columns, key, counter), sign) for key, counter, sign in weighted]
        if not any(domains.any() for _, domains, _ in found):
            return SKIP
        weights: Domains = {}
        for key, domains, sign in found:
            _add(weights, key, domains * sign)
        values = {key: columns.domains.of(key).numbers for key in weights}
        cycle.state[self.name] = _Score(values, weights, {key: columns.label(key)[1].values for key in weights})
        return SUCCESS

    def _own_weights(self, cycle: Cycle, terms: Terms) -> list[tuple[str, Key, int]]:
        """(topology key, counter of matching pods, signed weight) of the pod's own preferred terms."""
        signed = [*terms.preferred, *((-weight, term) for weight, term in terms.preferred_anti)]
        return [(term.key, _matching(cycle, term), weight) for weight, term in signed]

    def _weights_of_placed(self, cycle: Cycle) -> list[tuple[str, Key, int]]:
        """The same for terms of placed pods that match this one; their counters add up weights already."""
        signs = {"required": self.args.hard_pod_affinity_weight, "preferred": 1, "preferred-anti": -1}
        columns, labels = cycle.snapshot.columns, _namespace_labels(cycle)
        return [
            (columns.counters.terms[key].key, key, sign)
            for key in columns.counters.terms_matching(cycle.pod, labels)
            if key in columns.vectors and (sign := signs.get(role_of(key), 0))
        ]

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


def _namespace_labels(cycle: Cycle) -> dict[str, str]:
    """Labels of the incoming pod's namespace."""
    namespace = cycle.snapshot.kind("Namespace").get(cycle.pod.namespace)
    return namespace.labels if namespace is not None else {}


def _has_no_terms(cycle: Cycle) -> bool:
    """Neither the pod nor any that was ever placed."""
    return not cycle.pod.shape.has_pod_affinity and not cycle.snapshot.columns.counters.terms


def _by_domain(columns: Columns, key: str, counter: Key) -> Int64Array:
    """Sums over the nodes of each value of a label; nodes without the label do not count. Read only."""
    sums = columns.domains.sums(counter, key)
    if sums[0]:
        sums = sums.copy()
        sums[0] = 0
    return sums


def _matching(cycle: Cycle, term: Term) -> Key:
    """The counter of the pods that a term of the incoming pod matches."""
    key = ("count", "matching", *term[1:])
    cycle.snapshot.count(key, lambda pod: int(term.matches(pod)))
    return key


def _add(domains: Domains, key: str, counts: Int64Array) -> None:
    domains[key] = domains[key] + counts if key in domains else counts


def _existing(cycle: Cycle, labels: dict[str, str]) -> Domains:
    """Placed pods whose required anti-affinity matches the incoming one."""
    columns, existing = cycle.snapshot.columns, Domains()
    for key in columns.counters.terms_matching(cycle.pod, labels):
        if role_of(key) == "required-anti" and key in columns.vectors:
            topology = columns.counters.terms[key].key
            _add(existing, topology, _by_domain(columns, topology, key))
    return existing


def _is_near(cycle: Cycle, state: _Filter, nodes: Nodes) -> BoolArray:
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


def _change(cycle: Cycle, state: _Filter, row: int, pod: PodInfo, sign: int) -> None:
    """A pod came to a node (sign 1) or left it."""
    if state.matches_all(pod):
        for term in state.terms.required:
            _bump(cycle, state.near, term.key, row, sign)
    for term in state.terms.required_anti:
        if term.matches(pod):
            _bump(cycle, state.away, term.key, row, sign)
    for term in readable_terms_of(pod).required_anti:
        if term.matches(cycle.pod, state.namespace_labels):
            _bump(cycle, state.existing, term.key, row, sign)


def _bump(cycle: Cycle, domains: Domains, key: str, row: int, change: int) -> None:
    values, vocabulary = cycle.snapshot.columns.label(key)
    if value := int(values[row]):
        counts = domains.setdefault(key, np.zeros(len(vocabulary), np.int64))
        counts[value] += change
