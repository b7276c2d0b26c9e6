"""Which of two pods is spared first. Source: kube-scheduler v1.34.1 util/utils.go, MoreImportantPod."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.preemption.go_sort import sort_slice
from scheduler.engine.simulation.clock import from_rfc3339

NOW = 2**63 - 1
"""The start of a pod that has not started: the moment of asking, later than any other start."""

_started = lru_cache(maxsize=65536)(from_rfc3339)


def start_us(pod: PodInfo) -> int:
    """Start time in µs since the epoch, `NOW` where the status has none."""
    status = pod.pod.status
    return _started(status.start_time) if status is not None and status.start_time else NOW


def is_more_important(one: PodInfo, other: PodInfo) -> bool:
    """Higher priority, then the earlier start. Of two pods that have not started, whichever is asked about first."""
    if one.priority != other.priority:
        return one.priority > other.priority
    start, other_start = start_us(one), start_us(other)
    return start < other_start or start == other_start == NOW


def by_importance(pods: Iterable[PodInfo]) -> list[PodInfo]:
    """Most important first, equals in the order that the original's sorting leaves them in."""
    ordered = list(pods)
    sort_slice(ordered, is_more_important)
    return ordered


def earliest_start_us(pods: Iterable[PodInfo]) -> int:
    """The earliest start among the pods of the highest priority."""
    pods = list(pods)
    highest = max(pod.priority for pod in pods)
    return min(start_us(pod) for pod in pods if pod.priority == highest)
