"""ReplicaSets (and ReplicationControllers): as many pods as asked for. Source: v1.34.1 pkg/controller/replicaset."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler.engine.workloads.actions import NewPod, OldPod, Wanted
from scheduler.engine.workloads.amounts import BURST
from scheduler.engine.workloads.deletion_order import in_deletion_order
from scheduler.engine.workloads.owned import OwnedPod, counted


def replica_set(replicas: int, pods: Iterable[OwnedPod], now_us: int, *, min_ready_seconds: int = 0) -> Wanted:
    """What a ReplicaSet of `replicas` pods wants now. `again_us`: µs until a pod becomes available."""
    given = counted(pods)
    missing = replicas - len(given.active)
    surplus = in_deletion_order(given.active.values(), now_us, -missing) if missing < 0 else []
    return Wanted(
        creates=(NewPod(),) * max(min(missing, BURST), 0),
        deletes=tuple(OldPod(pod.name, "scaled down") for pod in surplus),
        status={
            "replicas": len(given.active),
            "readyReplicas": given.ready,
            "availableReplicas": given.available(min_ready_seconds, now_us),
        },
        again_us=given.wait_us(min_ready_seconds, now_us),
    )
