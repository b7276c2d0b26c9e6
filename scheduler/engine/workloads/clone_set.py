"""CloneSets: pods without order, old and new templates side by side. Source: kruise pkg/controller/cloneset/sync."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from scheduler.engine.workloads.actions import NewPod, OldPod, Wanted
from scheduler.engine.workloads.amounts import BURST, amount, coming_of
from scheduler.engine.workloads.deletion_order import in_deletion_order
from scheduler.engine.workloads.owned import OwnedPod, OwnedPods, counted


class Clones(msgspec.Struct, frozen=True):
    """What a CloneSet asks for. `partition`: how many pods stay at the current revision.

    A percentage of unavailable pods is rounded up, but down where pods surge. `coming`: how many may be down while
    others are made; None: any number.
    """

    replicas: int
    partition: int = 0
    surge: int = 0
    unavailable: int = 0
    coming: int | None = None
    paused: bool = False
    on_delete: bool = False
    min_ready_seconds: int = 0

    @classmethod
    def of(cls, spec: dict[str, Any]) -> Clones:
        """Both layouts: v1beta1 has its numbers under `rollingUpdate`."""
        replicas = 1 if spec.get("replicas") is None else spec["replicas"]
        strategy = spec.get("updateStrategy") or {}
        given = {**strategy, **(strategy.get("rollingUpdate") or {})}
        surge = 0 if given.get("paused") else amount(given.get("maxSurge"), replicas, up=True)
        unavailable = amount(given.get("maxUnavailable"), replicas, up=not surge, absent="20%")
        return cls(
            replicas=replicas,
            partition=_partition(given.get("partition"), replicas),
            surge=surge,
            unavailable=max(unavailable, 0 if surge else 1),
            coming=None if (coming := coming_of(spec)) is None else amount(coming, replicas, up=True),
            paused=bool(given.get("paused")),
            on_delete=strategy.get("type") == "OnDelete",
            min_ready_seconds=spec.get("minReadySeconds") or 0,
        )


def _partition(given: int | str | None, replicas: int) -> int:
    """A percentage is rounded up, but below 100 % one pod at least is updated."""
    kept = amount(given, replicas, up=True)
    if isinstance(given, str) and given != "100%" and kept == replicas:
        kept -= 1
    return max(min(kept, replicas), 0)


def clone_set(asked: Clones, pods: Iterable[OwnedPod], current: str, updated: str, now_us: int) -> Wanted:
    """`current`, `updated`: revisions. Scaling goes before updating, and only one of them happens at a time."""
    given = counted(pods)
    old = len(given.active) - given.at(updated).active
    missing = asked.replicas + _surge(asked, old) - len(given.active)
    down = len(given.active) - given.available(asked.min_ready_seconds, now_us)
    most = BURST if asked.coming is None else min(BURST, max(asked.coming - down, 0))
    creates, deletes = _creates(asked, old, min(missing, most), current, updated), []
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
    """As many as may be unavailable, pods that are down anyway first. New ones that are down count twice over:

    so that of an update that does not come up no more pods are made than that, however many old ones are down.
    """
    if asked.paused or asked.on_delete or too_many <= 0:
        return []
    seconds = asked.min_ready_seconds
    most = asked.unavailable + len(given.active) - asked.replicas
    down = len(given.active) - given.available(seconds, now_us)
    new_down = _new_that_are_down(given, updated, seconds, now_us)
    if most <= new_down or (down >= most and down == new_down):
        return []
    replaced = []
    for pod in in_deletion_order(_old(given, updated), now_us, min(too_many, most - new_down)):
        if pod.is_available(seconds, now_us):
            if down >= most:
                break
            down += 1
        replaced.append(OldPod(pod.name, "replaced"))
    return replaced


def _new_that_are_down(given: OwnedPods, updated: str, min_ready_seconds: int, now_us: int) -> int:
    new, late = given.at(updated), map(given.get, given.late(min_ready_seconds, now_us))
    return new.active - new.ready + sum(pod is not None and pod.revision == updated for pod in late)


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
