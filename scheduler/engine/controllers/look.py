"""What a controller sees of the pods that it owns."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from scheduler.engine.controllers.owners import Owners, owners_of
from scheduler.engine.objects import ObjectKey, Pod
from scheduler.engine.queue.entry import UNSCHEDULABLE
from scheduler.engine.simulation.clock import from_rfc3339
from scheduler.engine.uniteddeployment.spec import RESERVED_LABEL
from scheduler.engine.workloads.daemon_template import node_of
from scheduler.engine.workloads.owned import OwnedPod, OwnedPods

if TYPE_CHECKING:
    from scheduler.engine.simulation.simulation import Simulation

REVISION_HASH = "controller-revision-hash"
_INT32 = re.compile(r"-?[0-9]{1,10}")
DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"


def owned_pods(
    state: Simulation, owner: ObjectKey, label: str = REVISION_HASH, owners: Owners | None = None
) -> OwnedPods:
    """`label`: the one that tells a pod's revision. What is returned goes on to change: use it up at once."""
    is_daemon, pods, namespace = owner[0] == "DaemonSet", state.pods, owner[1]

    def read(name: str) -> OwnedPod | None:
        pod = pods.get(f"{namespace}/{name}")
        return owned_pod(state, pod, label, is_daemon=is_daemon) if pod is not None else None

    return (owners or owners_of(state)).crew(owner, label).seen(read)


def owned_pod(state: Simulation, pod: Pod, label: str, *, is_daemon: bool = False) -> OwnedPod:
    """A pod as controllers look at it. `is_daemon`: also for which node it is meant."""
    status = pod.status
    ready = next((one for one in (status and status.conditions) or () if one.type == "Ready"), None)
    since = ready.last_transition_time if ready is not None else None
    cost = pod.annotations.get(DELETION_COST, "0")
    return OwnedPod(
        name=pod.name,
        phase=(status and status.phase) or "Pending",
        created_us=_moment(pod.metadata.creation_timestamp),
        node_name=pod.node_name,
        unschedulable=_is_unschedulable(state, pod),
        ready=None if ready is None else ready.status == "True",
        ready_since_us=_moment(since) or 0,
        revision=pod.labels.get(label, ""),
        reserved=pod.labels.get(RESERVED_LABEL, ""),
        deleting=pod.is_terminating,
        deletion_cost=_number(cost),
        meant_for=(pod.node_name or node_of(msgspec.to_builtins(pod.spec))) if is_daemon else "",
    )


def _is_unschedulable(state: Simulation, pod: Pod) -> bool:
    """kube-scheduler has said so in the condition PodScheduled, and nobody has taken it back: it stays over retries."""
    if pod.node_name:
        return False
    queued = state.queue.get(pod.key)
    return pod.key in state.messages or (queued is not None and queued.place == UNSCHEDULABLE)


def _number(text: str) -> int:
    """A 32-bit integer, as the annotation is read; 0 where it is none."""
    return int(text) if _INT32.fullmatch(text) else 0


@lru_cache(maxsize=4096)  # many pods share their moments, and each look reads them all again
def _moment(text: str | None) -> int | None:
    return from_rfc3339(text) if text else None
