"""CloneSets: pods without order, old and new templates side by side. Source: kruise pkg/controller/cloneset/sync."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from scheduler.engine.workloads.actions import NewPod, OldPod, Wanted
from scheduler.engine.workloads.amounts import BURST, amount
from scheduler.engine.workloads.owned import OwnedPod, in_deletion_order, waits


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


def clone_set(asked: Clones, pods: Sequence[OwnedPod], current: str, updated: str, now_us: int) -> Wanted:
    """`current`, `updated`: revisions. Scaling goes before updating, and only one of them happens at a time."""
    active = [pod for pod in pods if pod.is_active]
    old = [pod for pod in active if pod.revision != updated]
    surge = _surge(asked, old)
    missing = asked.replicas + surge - len(active)
    creates, deletes = _creates(asked, active, min(missing, BURST), current, updated), []
    if missing < 0:
        deletes = _surplus(asked, active, -missing, updated, now_us)
    elif not creates:
        deletes = _replaced(asked, active, old, now_us)
    status = _status(asked, active, old, current, updated, now_us)
    return Wanted(tuple(creates), tuple(deletes), status, waits(active, asked.min_ready_seconds, now_us))


def _surge(asked: Clones, old: list[OwnedPod]) -> int:
    """How many pods more than asked for there may be while old ones are left to replace."""
    if asked.paused or asked.on_delete:
        return 0
    return max(min(asked.surge, len(old) - asked.partition), 0)


def _creates(asked: Clones, active: list[OwnedPod], missing: int, current: str, updated: str) -> list[NewPod]:
    """At the current revision as long as fewer pods than the partition have it."""
    kept = asked.partition - sum(pod.revision != updated for pod in active) if current != updated else 0
    old = min(max(kept, 0), max(missing, 0))
    return [NewPod(current)] * old + [NewPod(updated)] * (max(missing, 0) - old)


def _surplus(asked: Clones, active: list[OwnedPod], count: int, updated: str, now_us: int) -> list[OldPod]:
    """Of the revision of which there are too many, then of the other."""
    old = [pod for pod in active if pod.revision != updated]
    too_many = max(len(old) - asked.partition, 0)
    first = in_deletion_order(old, now_us)[: min(too_many, count)]
    names = {pod.name for pod in first}
    new = [pod for pod in in_deletion_order(active, now_us) if pod.revision == updated]
    kept = [pod for pod in in_deletion_order(old, now_us) if pod.name not in names]
    return [OldPod(pod.name, "scaled down") for pod in [*first, *new, *kept][:count]]


def _replaced(asked: Clones, active: list[OwnedPod], old: list[OwnedPod], now_us: int) -> list[OldPod]:
    """Pods that are down anyway first, then as many others as may be unavailable."""
    if asked.paused or asked.on_delete:
        return []
    down = {pod.name for pod in active if not pod.is_available(asked.min_ready_seconds, now_us)}
    room = max(len(active) - asked.replicas, 0) + asked.unavailable - len(down)
    replaced = []
    for pod in in_deletion_order(old, now_us)[: max(len(old) - asked.partition, 0)]:
        if pod.name not in down:
            if room <= 0:
                break
            room -= 1
        replaced.append(OldPod(pod.name, "replaced"))
    return replaced


def _status(
    asked: Clones, active: list[OwnedPod], old: list[OwnedPod], current: str, updated: str, now_us: int
) -> dict[str, int | str]:
    """Once no old pod is left and all are ready, the updated revision is the current."""
    ready = sum(bool(pod.ready) for pod in active)
    is_done = not old and ready == len(active) == asked.replicas
    return {
        "replicas": len(active),
        "readyReplicas": ready,
        "availableReplicas": sum(pod.is_available(asked.min_ready_seconds, now_us) for pod in active),
        "updatedReplicas": len(active) - len(old),
        "updatedReadyReplicas": sum(bool(pod.ready) for pod in active if pod.revision == updated),
        "expectedUpdatedReplicas": asked.replicas - asked.partition,
        "currentRevision": updated if is_done else current,
        "updateRevision": updated,
    }
