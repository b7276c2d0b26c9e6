"""Where the pods are that pod affinity terms mean: counted by the values of each term's topology label.

Source: v1.34.1 plugins/interpodaffinity/filtering.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from scheduler.engine.arithmetic.pod_affinity import Term, Terms, readable_terms_of
from scheduler.engine.cluster.pod_counters import role_of
from scheduler.engine.framework import Int64Array

if TYPE_CHECKING:
    from scheduler.engine.cluster.columns import Columns
    from scheduler.engine.cluster.keys import Key
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.attempt import Cycle

Domains: TypeAlias = dict[str, Int64Array]
"""Topology key → pods (or weights) per number of the label's value; number 0, no label, is always 0."""


@dataclass(slots=True)
class RequiredState:
    """`near`: pods that match all required terms; `away`: pods that own anti terms match; `existing`: placed pods whose
    anti terms match this one."""

    terms: Terms
    namespace_labels: dict[str, str]
    near: Domains = field(default_factory=dict)
    away: Domains = field(default_factory=dict)
    existing: Domains = field(default_factory=dict)

    def clone(self) -> RequiredState:
        parts = ({key: counts.copy() for key, counts in one.items()} for one in (self.near, self.away, self.existing))
        return RequiredState(self.terms, self.namespace_labels, *parts)

    def matches_all(self, pod: PodInfo) -> bool:
        return bool(self.terms.required) and all(term.matches(pod) for term in self.terms.required)


def required_state(cycle: Cycle, terms: Terms) -> RequiredState:
    """What the terms meet now. `terms`: of the pod to be placed."""
    labels = namespace_labels(cycle)
    state = RequiredState(terms, labels, existing=_existing(cycle, labels))
    if terms.required:
        counter = meeting_all(cycle, state)
        for term in terms.required:
            add(state.near, term.key, by_domain(cycle.snapshot.columns, term.key, counter))
    for term in terms.required_anti:
        add(state.away, term.key, by_domain(cycle.snapshot.columns, term.key, meeting(cycle, term)))
    return state


def namespace_labels(cycle: Cycle) -> dict[str, str]:
    """Labels of the incoming pod's namespace."""
    namespace = cycle.snapshot.kind("Namespace").get(cycle.pod.namespace)
    return namespace.labels if namespace is not None else {}


def by_domain(columns: Columns, key: str, counter: Key) -> Int64Array:
    """Sums over the nodes of each value of a label; nodes without the label do not count. Read only."""
    sums = columns.domains.sums(counter, key)
    if sums[0]:
        sums = sums.copy()
        sums[0] = 0
    return sums


def meeting(cycle: Cycle, term: Term) -> Key:
    """The counter of the pods that a term of the incoming pod matches."""
    key = ("count", "matching", *term[1:])
    cycle.snapshot.count(key, lambda pod: int(term.matches(pod)))
    return key


def add(domains: Domains, key: str, counts: Int64Array) -> None:
    """Several terms may share a key."""
    domains[key] = domains[key] + counts if key in domains else counts


def meeting_all(cycle: Cycle, state: RequiredState) -> Key:
    """The counter of the pods that all required terms match."""
    key = ("count", "all", tuple(term[1:] for term in state.terms.required))
    cycle.snapshot.count(key, lambda pod: int(state.matches_all(pod)))
    return key


def _existing(cycle: Cycle, labels: dict[str, str]) -> Domains:
    """Placed pods whose required anti-affinity matches the incoming one."""
    columns, existing = cycle.snapshot.columns, Domains()
    for key in columns.counters.terms_matching(cycle.pod, labels):
        if role_of(key) == "required-anti" and key in columns.vectors:
            topology = columns.counters.terms[key].key
            add(existing, topology, by_domain(columns, topology, key))
    return existing


def change(cycle: Cycle, state: RequiredState, row: int, pod: PodInfo, sign: int) -> None:
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
