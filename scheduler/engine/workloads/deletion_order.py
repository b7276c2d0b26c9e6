"""Which pods are missed least. Source: kubernetes v1.34.1 pkg/controller/controller_utils.go, ActivePodsWithRanks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import partial
from heapq import nsmallest

from scheduler.engine.workloads.owned import OwnedPod

FEW = 8
"""Where fewer than one in so many are asked for, a heap finds them sooner than a sort."""

_PHASES = {"Pending": 0, "Unknown": 1, "Running": 2}


def in_deletion_order(pods: Iterable[OwnedPod], now_us: int, first: int | None = None) -> list[OwnedPod]:
    """Those that are missed least first: all, or as many as asked for."""
    given = list(pods)
    crowd = Counter([pod.node_name for pod in given if pod.node_name])
    ranks: dict[tuple[bool, int, bool, int, int], list[OwnedPod]] = {}
    for pod in given:
        phase, together = _PHASES.get(pod.phase, 0), crowd[pod.node_name] if pod.node_name else 0
        rank = bool(pod.node_name), phase, bool(pod.ready), pod.deletion_cost, -together
        ranks.setdefault(rank, []).append(pod)
    left, order = len(given) if first is None else first, list[OwnedPod]()
    by_age = partial(_Age, now_us=now_us)
    for rank in sorted(ranks):
        if left <= 0:
            break
        alike = ranks[rank]
        few = left * FEW < len(alike)
        order += nsmallest(left, alike, key=by_age) if few else sorted(alike, key=by_age)[:left]
        left -= len(alike)
    return order


class _Age:
    """The younger first, by the power of two of its age; among ages alike by name, which is as good as a draw.

    Compared are pods of one rank, so all of them are ready or none is.
    """

    __slots__ = ("created_us", "name", "order", "ready_order", "ready_us")

    def __init__(self, pod: OwnedPod, now_us: int) -> None:
        self.name, self.created_us = pod.name, pod.created_us or 0
        self.ready_us = pod.ready_since_us if pod.ready else 0
        self.ready_order, self.order = _magnitude(now_us - self.ready_us), _magnitude(now_us - self.created_us)

    def __lt__(self, other: _Age) -> bool:
        if self.ready_us != other.ready_us and self.ready_order != other.ready_order:
            return self.ready_order < other.ready_order
        if self.ready_us == other.ready_us and self.created_us != other.created_us and self.order != other.order:
            return self.order < other.order
        return self.name < other.name


def _magnitude(age_us: int) -> int:
    return int(math.log2(age_us * 1000)) if age_us > 0 else -1
