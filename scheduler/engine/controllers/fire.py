"""What falls due for controllers at a moment: pods become ready, and workloads are looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from scheduler.engine.controllers.daemons import reconcile_daemon_set
from scheduler.engine.controllers.deployments import reconcile_deployment
from scheduler.engine.controllers.making import PassFailed, say
from scheduler.engine.controllers.owners import controller_of
from scheduler.engine.controllers.sets import (
    reconcile_clone_set,
    reconcile_job,
    reconcile_replica_set,
    reconcile_stateful_set,
)
from scheduler.engine.controllers.united import reconcile_united_deployment
from scheduler.engine.controllers.writing import counted, status_of
from scheduler.engine.errors import PodiumError
from scheduler.engine.events import Reconciled, ReconcilePlanned
from scheduler.engine.objects import ObjectKey, Pod
from scheduler.engine.simulation.clock import LATEST_US, to_rfc3339
from scheduler.engine.simulation.objects import patch

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

FIRST_RETRY_US, LONGEST_RETRY_US = 5_000, 1_000_000_000
"""The default rate limiter of controllers: 5 ms, doubled with each failure, up to 1,000 s."""

_CONTROLLERS: dict[str, Callable[[Simulation, ObjectKey, Any], int]] = {
    "UnitedDeployment": reconcile_united_deployment,
    "Deployment": reconcile_deployment,
    "ReplicaSet": reconcile_replica_set,
    "StatefulSet": reconcile_stateful_set,
    "AdvancedStatefulSet": reconcile_stateful_set,
    "CloneSet": reconcile_clone_set,
    "DaemonSet": reconcile_daemon_set,
    "Job": reconcile_job,
}


def run_due(state: Simulation) -> None:
    """Pods first: what their controllers see then is up to date."""
    while (pod := state.work.readying.first(state.now_us)) is not None:
        become_ready(state, state.pods[pod])
    while (key := state.work.reconciles.first(state.now_us)) is not None:
        reconcile(state, key)


def become_ready(state: Simulation, pod: Pod) -> None:
    """No kubelet runs here: a pod is ready a settable while after it was bound."""
    now = to_rfc3339(state.now_us)
    conditions = [
        {"type": "PodScheduled", "status": "True"},
        {"type": "Ready", "status": "True", "lastTransitionTime": now},
    ]
    patch(state, "Pod", pod, {"status": {"conditions": conditions}})


def reconcile(state: Simulation, key: ObjectKey) -> None:
    """One look at a workload. What goes wrong is told as an event of it, and tried again later.

    Whatever a controller trips over in what people wrote, its failure is its workload's alone: time goes on.
    """
    workload = state.cluster.get(*key)
    assert workload is not None
    failures = state.work.failures.get(key, 0)
    state.emit(Reconciled(*key))
    try:
        after_us = _CONTROLLERS[key[0]](state, key, workload)
    except Exception as error:
        if state.is_torn:
            raise
        if not isinstance(error, PassFailed):
            say(state, key, "Warning", "FailedReconcile", _told(error))
        wait = min(FIRST_RETRY_US << min(failures, 30), LONGEST_RETRY_US)
        _plan(state, key, max(wait, state.settings.controller_us), failures + 1)
        return
    if after_us:  # it looks a little later: at the very moment a pod has not waited for longer than it may
        _plan(state, key, after_us + state.settings.controller_us)


def _plan(state: Simulation, key: ObjectKey, after_us: int, failures: int = 0) -> None:
    """Beyond the end of the clock nothing is planned."""
    if state.now_us + after_us <= LATEST_US:
        state.emit(ReconcilePlanned(*key, state.now_us + after_us, failures))


def _told(error: Exception) -> str:
    if isinstance(error, PodiumError):
        return str(error)
    return f"The controller cannot make sense of this object: {type(error).__name__}: {error}"


def completed(state: Simulation, pod: Pod) -> None:
    """A pod's lifetime was over: to its Job that is a success."""
    owner = controller_of(pod) if state.owners is not None else None
    job = state.cluster.get(*owner) if owner is not None and owner[0] == "Job" else None
    if job is not None:
        patch(state, "Job", job, {"status": {"succeeded": counted(status_of(job), "succeeded") + 1}})
