"""ReplicaSets (and ReplicationControllers): as many pods as asked for. Source: v1.34.1 pkg/controller/replicaset."""

from __future__ import annotations

from collections.abc import Sequence

from scheduler.engine.workloads.actions import NewPod, OldPod, Wanted
from scheduler.engine.workloads.amounts import BURST
from scheduler.engine.workloads.owned import OwnedPod, in_deletion_order, waits


def replica_set(replicas: int, pods: Sequence[OwnedPod], now_us: int, *, min_ready_seconds: int = 0) -> Wanted:
    active = [pod for pod in pods if pod.is_active]
    missing = replicas - len(active)
    surplus = in_deletion_order(active, now_us)[:-missing] if missing < 0 else []
    available = sum(pod.is_available(min_ready_seconds, now_us) for pod in active)
    return Wanted(
        creates=(NewPod(),) * max(min(missing, BURST), 0),
        deletes=tuple(OldPod(pod.name, "scaled down") for pod in surplus),
        status={
            "replicas": len(active),
            "readyReplicas": sum(bool(pod.ready) for pod in active),
            "availableReplicas": available,
        },
        again_us=waits(active, min_ready_seconds, now_us),
    )
