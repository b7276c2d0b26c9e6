"""Pod affinity term by term: where the pods are that a term means, and what that does to a node there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from scheduler.engine.arithmetic.affinity_domains import (
    RequiredState,
    by_domain,
    meeting,
    meeting_all,
    namespace_labels,
)
from scheduler.engine.arithmetic.pod_affinity import Term, incoming_terms
from scheduler.engine.cluster.pod_counters import role_of
from scheduler.engine.framework import Int64Array
from scheduler.engine.plugins import inter_pod_affinity as plugin

if TYPE_CHECKING:
    from scheduler.engine.cluster.keys import Key
    from scheduler.engine.cycle.attempt import Cycle

Effect: TypeAlias = Literal["needs", "refuses", "attracts", "repels"]


@dataclass(frozen=True, slots=True)
class FoundTerm:
    """A term, and the values of its topology label at which it meets pods; arrays are parallel to `values`.

    `own`: of the pod to be placed, else of placed pods that mean it. `pods`: None where only their weights are known.
    `points`: what it adds to the raw score, None for terms that filter. `first`: nobody matches yet, and the pod
    matches its own terms, so it may be the first. `domains`: all values of the label; `unlabelled`: nodes without it.
    """

    term: Term
    effect: Effect
    own: bool
    weight: int
    values: list[str]
    nodes: Int64Array
    pods: Int64Array | None
    points: Int64Array | None
    domains: int
    unlabelled: int
    first: bool = False


def filtering_terms(cycle: Cycle) -> list[FoundTerm]:
    """The terms that Filter enforced: the pod's own, then those of placed pods that keep it away."""
    state: RequiredState | None = cycle.state.get(plugin.FILTER_STATE)
    if state is None:
        return []
    together = meeting_all(cycle, state)
    nobody = not any(counts.any() for counts in state.near.values())
    first = nobody and state.matches_all(cycle.pod)
    return [
        *(_found(cycle, term, together, "needs", first=first) for term in state.terms.required),
        *(_found(cycle, term, meeting(cycle, term), "refuses") for term in state.terms.required_anti),
        *(_found(cycle, term, key, "refuses", own=False) for key, term in _placed(cycle, "required-anti")),
    ]


def scoring_terms(cycle: Cycle) -> list[FoundTerm]:
    """The terms that PreScore weighed: the pod's own, then those of placed pods; none where it was left out."""
    if plugin.InterPodAffinity.name not in cycle.state:
        return []
    terms = incoming_terms(cycle.pod, cycle.snapshot.kind("Namespace"))
    hard = _hard_weight(cycle)
    placed = (("required", hard), ("preferred", 1), ("preferred-anti", -1))
    return [
        *(_scored(cycle, term, meeting(cycle, term), weight) for weight, term in terms.preferred),
        *(_scored(cycle, term, meeting(cycle, term), -weight) for weight, term in terms.preferred_anti),
        *(
            _scored(cycle, term, key, weight, own=False, counts=role == "required")
            for role, weight in placed
            if weight
            for key, term in _placed(cycle, role)
        ),
    ]


def _hard_weight(cycle: Cycle) -> int:
    return next(int(one.args.hard_pod_affinity_weight) for one in cycle.at("score") if one.name == "InterPodAffinity")


def _placed(cycle: Cycle, role: str) -> Iterator[tuple[Key, Term]]:
    """Terms of placed pods that mean the pod to be placed, each with its counter."""
    columns = cycle.snapshot.columns
    for key in columns.counters.terms_matching(cycle.pod, namespace_labels(cycle)):
        if role_of(key) == role and key in columns.vectors and columns.vectors[key].any():
            yield key, columns.counters.terms[key]


def _scored(cycle: Cycle, term: Term, counter: Key, weight: int, *, own: bool = True, counts: bool = True) -> FoundTerm:
    """`counts`: the counter counts pods; else it adds up their weights."""
    return _found(cycle, term, counter, "attracts" if weight > 0 else "repels", own=own, weight=weight, counts=counts)


def _found(
    cycle: Cycle,
    term: Term,
    counter: Key,
    effect: Effect,
    *,
    own: bool = True,
    weight: int = 0,
    counts: bool = True,
    first: bool = False,
) -> FoundTerm:
    columns = cycle.snapshot.columns
    sums, domains = by_domain(columns, term.key, counter), columns.domains.of(term.key)
    met = np.flatnonzero(sums)
    nodes, texts = np.bincount(domains.numbers, minlength=len(sums)), columns.label(term.key)[1].values
    return FoundTerm(
        term,
        effect,
        own,
        weight,
        [texts[number] or "" for number in met.tolist()],
        nodes[met].astype(np.int64),
        sums[met] if counts else None,
        sums[met] * weight if weight else None,
        int(np.count_nonzero(domains.exists[1:])),
        int(nodes[0]),
        first,
    )
