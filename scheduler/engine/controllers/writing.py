"""Wishes become events: pods made and deleted, statuses written where they changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from scheduler.engine.controllers.making import made_until_refused
from scheduler.engine.objects import KubernetesObject, ObjectKey
from scheduler.engine.simulation.objects import patch, remove
from scheduler.engine.validation.rules import MAX_INT32
from scheduler.engine.workloads.actions import NewPod, OldPod, Wanted

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation


def carry_out(state: Simulation, key: ObjectKey, wanted: Wanted, make: Callable[[NewPod], None]) -> int:
    """Returns how long to wait before the next look, µs. The status is written also where a pod could not be made.

    Raises PassFailed for that pod.
    """
    delete_pods(state, key, wanted.deletes)
    failure = made_until_refused(make, wanted.creates)
    write_status(state, key, dict(wanted.status))
    if failure is not None:
        raise failure
    return wanted.again_us


def delete_pods(state: Simulation, owner: ObjectKey, pods: Iterable[OldPod]) -> None:
    """`cause` of the deletion is the controller's reason, `by` its workload."""
    for pod in pods:
        remove(state, "Pod", owner[1], pod.name, cause=pod.why, by=f"{owner[0]}/{owner[2]}")


def write_status(state: Simulation, key: ObjectKey, status: dict[str, Any]) -> None:
    """Fields that are gone are taken away; without any difference nothing is written."""
    workload = state.cluster.get(*key)
    if workload is None:
        return
    old: dict[str, Any] = getattr(workload, "status", None) or {}
    changed = {field: value for field, value in status.items() if old.get(field) != value}
    changed |= {field: None for field in old if field not in status}
    if changed:
        patch(state, key[0], workload, {"status": changed})


def status_of(workload: KubernetesObject) -> dict[str, Any]:
    return getattr(workload, "status", None) or {}


def counted(status: dict[str, Any], field: str) -> int:
    """A count in a status; 0 where something else stands there: anybody may have written it."""
    value = status.get(field)
    return value if isinstance(value, int) and 0 <= value <= MAX_INT32 else 0
