"""A pod as the controller that owns it sees it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import cmp_to_key, partial

import msgspec

SECOND_US = 1_000_000
_PHASES = ("Pending", "Unknown", "Running")


class OwnedPod(msgspec.Struct, frozen=True, gc=False):
    """Moments are virtual µs. `ready`: None where it has no Ready condition."""

    name: str
    phase: str = ""
    created_us: int | None = None
    node_name: str = ""
    unschedulable: bool = False
    ready: bool | None = None
    ready_since_us: int = 0
    revision: str = ""
    reserved: str = ""
    deleting: bool = False
    deletion_cost: int = 0

    @property
    def is_active(self) -> bool:
        return not self.deleting and self.phase not in ("Failed", "Succeeded")

    def is_available(self, min_ready_seconds: int, now_us: int) -> bool:
        """Whether it has been ready for long enough."""
        return bool(self.ready) and self.ready_since_us + min_ready_seconds * SECOND_US <= now_us


def waits(pods: Iterable[OwnedPod], min_ready_seconds: int, now_us: int) -> int:
    """How long until the next ready pod counts as available, µs; 0 if none will by waiting."""
    moments = [pod.ready_since_us + min_ready_seconds * SECOND_US - now_us for pod in pods if pod.ready]
    return min((left for left in moments if left > 0), default=0)


def in_deletion_order(pods: Iterable[OwnedPod], now_us: int) -> list[OwnedPod]:
    """Those that are missed least first. Source: kubernetes v1.34.1 pkg/controller/controller_utils.go."""
    given = list(pods)
    crowd = Counter(pod.node_name for pod in given if pod.node_name)
    by_age = sorted(given, key=cmp_to_key(partial(_age_order, now_us=now_us)))
    return sorted(by_age, key=lambda pod: _rank(pod, crowd[pod.node_name]))


def _rank(pod: OwnedPod, together: int) -> tuple[bool, int, bool, int, int]:
    """Without a node, not running, not ready, cheap, beside others of its kind."""
    phase = _PHASES.index(pod.phase) if pod.phase in _PHASES else 0
    return bool(pod.node_name), phase, bool(pod.ready), pod.deletion_cost, -together


def _age_order(left: OwnedPod, right: OwnedPod, now_us: int) -> int:
    """The younger first, by the power of two of its age; among ages alike by name, which is as good as a draw."""
    moments = [(left.created_us or 0, right.created_us or 0)]
    if left.ready and right.ready:
        moments.insert(0, (left.ready_since_us, right.ready_since_us))
    for first, second in moments:
        if first != second:
            return _magnitude(now_us - first) - _magnitude(now_us - second) or _by_name(left, right)
    return _by_name(left, right)


def _magnitude(age_us: int) -> int:
    return int(math.log2(age_us * 1000)) if age_us > 0 else -1


def _by_name(left: OwnedPod, right: OwnedPod) -> int:
    return (left.name > right.name) - (left.name < right.name)
