"""PodDisruptionBudgets: which victims would break one.

Source: kube-scheduler v1.34.1 plugins/defaultpreemption, filterPodsWithPDBViolation.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.errors import Invalid
from scheduler.engine.labels import Selector, label_selector
from scheduler.engine.objects import PodDisruptionBudget


@dataclass(frozen=True, slots=True)
class _Budget:
    selector: Selector
    allowed: int
    disrupted: frozenset[str]


class Budgets:
    """All budgets of a cluster, by namespace. One without a selector, or with an empty one, protects nothing."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._of_namespace: dict[str, list[_Budget]] = {}
        self._matching: dict[Hashable, list[_Budget]] = {}
        for one in snapshot.kind("PodDisruptionBudget").values():
            if isinstance(one, PodDisruptionBudget) and (budget := _compiled(one)) is not None:
                self._of_namespace.setdefault(one.namespace or "default", []).append(budget)

    def split(self, pods: Iterable[PodInfo]) -> tuple[list[PodInfo], list[PodInfo]]:
        """(pods whose eviction would break a budget, the others), both in the given order.

        Every pod before counts against the budgets, also one that is spared in the end.
        """
        if not self._of_namespace:
            return [], list(pods)
        left: dict[int, int] = {}
        violating: list[PodInfo] = []
        others: list[PodInfo] = []
        for pod in pods:
            breaks = False
            for budget in self._of(pod):
                if pod.pod.name not in budget.disrupted:
                    left[id(budget)] = left.get(id(budget), budget.allowed) - 1
                    breaks = breaks or left[id(budget)] < 0
            (violating if breaks else others).append(pod)
        return violating, others

    def _of(self, pod: PodInfo) -> list[_Budget]:
        budgets = self._of_namespace.get(pod.namespace, [])
        if not budgets or not pod.labels:
            return []
        if pod.kind not in self._matching:
            self._matching[pod.kind] = [one for one in budgets if one.selector.matches(pod.labels)]
        return self._matching[pod.kind]


def _compiled(one: PodDisruptionBudget) -> _Budget | None:
    try:
        selector = label_selector(one.spec.selector)
    except Invalid:
        return None
    if selector.is_empty or selector.nothing:
        return None
    status = one.status
    allowed = status.disruptions_allowed if status else 0
    return _Budget(selector, allowed, frozenset((status and status.disrupted_pods) or ()))
