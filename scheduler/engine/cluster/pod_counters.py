"""Columns that count pods, kept up as pods come and go, never recounted.

Two sorts: how many pods on each node a selector matches (made when first asked for), and how many carry each affinity
term (made when the first such pod is placed).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from threading import RLock
from typing import TypeAlias

from scheduler.engine.arithmetic.pod_affinity import Role, Term, readable_terms_of
from scheduler.engine.cluster.pod_info import PodInfo

CounterKey: TypeAlias = tuple[Hashable, ...]
Amount: TypeAlias = Callable[[PodInfo], int]
TERM = "term"
MAKING = RLock()
"""Held while a column or a counter comes into being; whoever finds it made needs no lock."""


class PodCounters:
    """What each counter makes of a pod. Pods of one kind (`PodInfo.kind`) are asked about once.

    Forks of columns share this: each updates those counters that it has a column for. `terms`: every affinity term met
    so far, by its counter ("count", "term", role, term).
    """

    def __init__(self) -> None:
        self.terms: dict[CounterKey, Term] = {}
        self._amounts: dict[CounterKey, Amount] = {}
        self._known: dict[Hashable, tuple[PodInfo, dict[CounterKey, int]]] = {}
        self._matched: dict[Hashable, tuple[int, list[CounterKey]]] = {}

    def __len__(self) -> int:
        return len(self._amounts)

    def register(self, key: CounterKey, amount: Amount) -> None:
        """`amount(pod)`: what a pod adds to its node; may depend on what `PodInfo.kind` holds only."""
        with MAKING:
            if key in self._amounts:
                return
            self._amounts[key] = amount
            for pod, counted in self._known.values():
                if found := amount(pod):
                    counted[key] = found

    def of(self, pod: PodInfo) -> Mapping[CounterKey, int]:
        """Counter → what this pod adds to it, zeros left out."""
        known = self._known.get(pod.kind)
        return known[1] if known is not None else self._learn(pod)

    def _learn(self, pod: PodInfo) -> Mapping[CounterKey, int]:
        with MAKING:
            counted = {key: found for key, amount in self._amounts.items() if (found := amount(pod))}
            known = self._known[pod.kind] = (pod, counted | self._own_terms(pod))
        return known[1]

    def _own_terms(self, pod: PodInfo) -> dict[CounterKey, int]:
        carried: dict[CounterKey, int] = {}
        for role, term, weight in readable_terms_of(pod).weighted():
            key = ("count", TERM, role, term)
            self.terms.setdefault(key, term)
            carried[key] = carried.get(key, 0) + weight
        return carried

    def terms_matching(self, pod: PodInfo, namespace_labels: Mapping[str, str]) -> list[CounterKey]:
        """The terms of placed pods that match an incoming pod, whose namespace has these labels."""
        asked = (pod.namespace, pod.kind.labels, tuple(sorted(namespace_labels.items())))
        checked, matched = self._matched.get(asked, (0, []))
        if checked < len(self.terms):
            with MAKING:
                fresh = list(self.terms.items())[checked:]
            matched = matched + [key for key, term in fresh if term.matches(pod, namespace_labels)]
            self._matched[asked] = (checked + len(fresh), matched)
        return matched

    def forget_kinds(self, limit: int) -> None:
        """Drop what is remembered of pods once there are more kinds than `limit`; it is found out again when needed."""
        if len(self._known) > limit:
            self._known.clear()
        if len(self._matched) > limit:
            self._matched.clear()

    def fresh(self) -> PodCounters:
        """The same terms without any counter of selectors."""
        other = PodCounters()
        other.terms = dict(self.terms)
        return other


def role_of(key: CounterKey) -> Role:
    """Of a term's counter."""
    role: Role = key[2]  # type: ignore[assignment]
    return role
