"""CloneSets: pods without order, old and new templates side by side. Source: kruise pkg/controller/cloneset/sync."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from scheduler.engine.workloads.actions import NewPod, OldPod, Wanted
from scheduler.engine.workloads.amounts import BURST, amount
from scheduler.engine.workloads.deletion_order import in_deletion_order
from scheduler.engine.workloads.owned import OwnedPod, OwnedPods, counted


class Clones(msgspec.Struct, frozen=True):
    """What a CloneSet asks for. `partition`: how many pods stay at the current revision."""

    replicas: int
    partition: int = 0
    surge: int = 0
    unavailable: int = 0
    paused: bool = False
    on_delete: bool = False
    min_ready_seconds: int = 0

    @classmethod
    def of(cls, spec: dict[str, Any]) -> Clones:
        """Both layouts: v1beta1 has its numbers under `rollingUpdate`."""
        replicas = 1 if spec.get("replicas") is None else spec["replicas"]
        strategy = spec.get("updateStrategy") or {}
        given = {**strategy, **(strategy.get("rollingUpdate") or {})}
        surge = amount(given.get("maxSurge"), replicas, up=True)
        unavailable = amount(given.get("maxUnavailable"), replicas, up=False, absent="20%")
        return cls(
            replicas=replicas,
            partition=min(amount(given.get("partition"), replicas, up=True), replicas),
            surge=surge,
            unavailable=max(unavailable, 0 if surge else 1),
            paused=bool(given.get("paused")),
            on_delete=strategy.get("type") == "OnDelete",
            min_ready_seconds=spec.get("minReadySeconds") or 0,
        )


def clone_set(asked: Clones, pods: Iterable[OwnedPod], current: str, updated: str, now_us: int) -> Wanted:
    """`current`, `updated`: revisions. Scaling goes before updating, and only one of them happens at a time."""
    given = counted(pods)
    old = len(given.active) - given.at(updated).active
    missing = asked.replicas + _surge(asked, old) - len(given.active)
    creates, deletes = _creates(asked, old, min(missing, BURST), current, updated), []
    if missing < 0:
        deletes = _surplus(asked, given, -missing, updated, now_us)
    elif not creates:
        deletes = _replaced(asked, given, old - asked.partition, updated, now_us)
    status = _status(asked, given, old, current, updated, now_us)
    return Wanted(tuple(creates), tuple(deletes), status, given.wait_us(asked.min_ready_seconds, now_us))


def _surge(asked: Clones, old: int) -> int:
    """How many pods more than asked for there may be while old ones are left to replace."""
    if asked.paused or asked.on_delete:
        return 0
    return max(min(asked.surge, old - asked.partition), 0)


def _creates(asked: Clones, old: int, missing: int, current: str, updated: str) -> list[NewPod]:
    """At the current revision as long as fewer pods than the partition have it."""
    kept = asked.partition - old if current != updated else 0
    again = min(max(kept, 0), max(missing, 0))
    return [NewPod(current)] * again + [NewPod(updated)] * (max(missing, 0) - again)


def _old(given: OwnedPods, updated: str) -> list[OwnedPod]:
    return [pod for pod in given.active.values() if pod.revision != updated]


def _surplus(asked: Clones, given: OwnedPods, count: int, updated: str, now_us: int) -> list[OldPod]:
    """Of the revision of which there are too many, then of the other."""
    old = _old(given, updated)
    too_many = max(len(old) - asked.partition, 0)
    first = in_deletion_order(old, now_us, min(too_many, count))
    names = {pod.name for pod in first}
    new = [pod for pod in in_deletion_order(given.active.values(), now_us) if pod.revision == updated]
    kept = [pod for pod in in_deletion_order(old, now_us) if pod.name not in names]
    return [OldPod(pod.name, "scaled down") for pod in [*first, *new, *kept][:count]]


def _replaced(asked: Clones, given: OwnedPods, too_many: int, updated: str, now_us: int) -> list[OldPod]:
    """Pods that are down anyway first, then as many others as may be unavailable."""
    if asked.paused or asked.on_delete or too_many <= 0:
        return []
    seconds = asked.min_ready_seconds
    down = len(given.active) - given.available(seconds, now_us)
    room = max(len(given.active) - asked.replicas, 0) + asked.unavailable - down
    if room <= 0 and _are_new(given, down, updated):
        return []
    replaced, most = [], min(too_many, down + max(room, 0) + 1)
    for pod in in_deletion_order(_old(given, updated), now_us, most):
        if pod.is_available(seconds, now_us):
            if room <= 0:
                break
            room -= 1
        replaced.append(OldPod(pod.name, "replaced"))
    return replaced


def _are_new(given: OwnedPods, down: int, updated: str) -> bool:
    """Whether all that are down are of the updated revision and not ready, told without a look at each."""
    new = given.at(updated)
    return down == new.active - new.ready


def _status(asked: Clones, given: OwnedPods, old: int, current: str, updated: str, now_us: int) -> dict[str, int | str]:
    """Once no old pod is left and all are ready, the updated revision is the current."""
    active = len(given.active)
    is_done = not old and given.ready == active == asked.replicas
    return {
        "replicas": active,
        "readyReplicas": given.ready,
        "availableReplicas": given.available(asked.min_ready_seconds, now_us),
        "updatedReplicas": active - old,
        "updatedReadyReplicas": given.at(updated).ready,
        "expectedUpdatedReplicas": asked.replicas - asked.partition,
        "currentRevision": updated if is_done else current,
        "updateRevision": updated,
    }
