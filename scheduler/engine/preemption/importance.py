"""Which of two pods is spared first. Source: kube-scheduler v1.34.1 util/utils.go, MoreImportantPod."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.preemption.go_sort import sort_slice
from scheduler.engine.simulation.clock import from_rfc3339

NOW = 2**63 - 1
"""The start of a pod that has not started: the moment of asking, later than any other start."""

_Rank: TypeAlias = tuple[int, int]

_started = lru_cache(maxsize=65536)(from_rfc3339)


def start_us(pod: PodInfo) -> int:
    """Start time in µs since the epoch, `NOW` where the status has none."""
    status = pod.pod.status
    return _started(status.start_time) if status is not None and status.start_time else NOW


def _rank(pod: PodInfo) -> _Rank:
    return -pod.priority, start_us(pod)


def _is_more_important(one: _Rank, other: _Rank) -> bool:
    """Higher priority, then the earlier start. Of two pods that have not started, whichever is asked about first."""
    return one < other or (one == other and one[1] == NOW)


def by_importance(pods: Iterable[PodInfo]) -> list[PodInfo]:
    """Most important first, equals in the order that the original's sorting leaves them in."""
    pods = list(pods)
    return [pods[place] for place in _order(tuple([_rank(pod) for pod in pods]))]


@lru_cache(maxsize=4096)
def _order(ranks: tuple[_Rank, ...]) -> tuple[int, ...]:
    """Nodes often hold the same sorts of pods: they are sorted once."""
    order = list(range(len(ranks)))
    sort_slice(order, lambda one, other: _is_more_important(ranks[one], ranks[other]))
    return tuple(order)


def earliest_start_us(pods: Iterable[PodInfo]) -> int:
    """The earliest start among the pods of the highest priority."""
    pods = list(pods)
    highest = max(pod.priority for pod in pods)
    return min(start_us(pod) for pod in pods if pod.priority == highest)
