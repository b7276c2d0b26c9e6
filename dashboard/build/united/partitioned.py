"""Pods that keep the old revision because the partition of their subset says so: all else of it is updated."""

from collections.abc import Sequence

from scheduler.engine.uniteddeployment.reconcile import Pass
from scheduler.engine.uniteddeployment.spec import WorkloadKind
from scheduler.engine.words import count
from scheduler.engine.workloads.owned import OwnedPod


def held_back(done: Pass) -> dict[str, list[OwnedPod]]:
    """By subset whose update waits for nothing but its partition. A pass writes those as they are, time and again."""
    found = {}
    for one in done.updates:
        if one.reason == "still updating" and not one.failed:
            held = done.existing[one.subset]
            pods = [pod for pod in held.pods if pod.is_active]
            old = [pod for pod in pods if pod.revision != held.revision]
            is_settled = len(pods) >= held.status_replicas and held.kind is not WorkloadKind.DEPLOYMENT
            if is_settled and 0 < len(old) <= one.partition:
                found[one.subset] = old
    return found


def told(pods: int) -> str:
    """`3 pods are held back by partitions`."""
    return f"{count(pods, 'pod')} {'is' if pods == 1 else 'are'} held back by partitions"


def why(old: Sequence[OwnedPod], partition: int) -> str:
    return (
        f"up to date but for {count(len(old), 'pod')}: its partition of {partition} keeps so many at the old revision"
    )
