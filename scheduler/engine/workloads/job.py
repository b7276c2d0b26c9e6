"""Jobs: pods that run to their end. Source: v1.34.1 pkg/controller/job."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler.engine.workloads.actions import NewPod, OldPod, Wanted
from scheduler.engine.workloads.amounts import BURST
from scheduler.engine.workloads.deletion_order import in_deletion_order
from scheduler.engine.workloads.owned import OwnedPod, counted


def job(spec: dict[str, Any], pods: Iterable[OwnedPod], succeeded: int, now_us: int) -> Wanted:
    """`succeeded`: pods that have run to their end so far. Without `completions` the first success ends the work."""
    given = counted(pods)
    active = len(given.active)
    wanted = 0 if spec.get("suspend") else _wanted(spec, active, succeeded)
    missing = wanted - active
    surplus = in_deletion_order(given.active.values(), now_us, -missing) if missing < 0 else []
    status: dict[str, int | str] = {"active": active, "ready": given.ready, "succeeded": succeeded}
    return Wanted(
        (NewPod(),) * max(min(missing, BURST), 0), tuple(OldPod(pod.name, "scaled down") for pod in surplus), status
    )


def _wanted(spec: dict[str, Any], active: int, succeeded: int) -> int:
    parallelism: int = 1 if spec.get("parallelism") is None else spec["parallelism"]
    completions: int | None = spec.get("completions")
    if completions is None and spec.get("parallelism") is None:
        completions = 1
    if completions is None:
        return min(active, parallelism) if succeeded else parallelism
    return max(min(parallelism, completions - succeeded), 0)
