"""What is known of a UnitedDeployment besides its plan: conditions, events, revisions, pods."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from dashboard.build.ages import aged
from dashboard.build.united.passes import counted
from dashboard.build.united.told import short
from dashboard.text import clock, microseconds
from scheduler import store
from scheduler.engine.controllers.owners import owners_of
from scheduler.engine.controllers.united import stored_revisions
from scheduler.engine.objects import ObjectKey
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.uniteddeployment.state import ExistingSubset
from scheduler.engine.uniteddeployment.status import Condition, Status
from scheduler.engine.workloads.owned import OwnedPod
from scheduler.models import Cluster, Event

EVENTS, PODS, WORKLOADS = 30, 200, 100


def readiness(ready: int, pods: int, wanted: int, planned: int) -> dict[str, Any]:
    """Numbers of pods; `wanted`: its replicas. Where none is there yet, what is planned is the truth of it."""
    if pods:
        return {"text": f"{ready:,} of {wanted:,} ready", "is_all": ready >= wanted}
    return {"text": f"no pods yet; {planned:,} planned" if planned else "no pods", "is_all": False}


def conditions(status: Status, now_us: int) -> list[dict[str, Any]]:
    """Its own, then those of its subsets."""
    found = [("", one) for one in status.conditions]
    found += [(subset.name, one) for subset in status.subset_statuses for one in subset.conditions]
    return [_condition(subset, one, now_us) for subset, one in found]


def _condition(subset: str, one: Condition, now_us: int) -> dict[str, Any]:
    since = microseconds(one.last_transition_time)
    return {"subset": subset, "said": one, "age": "" if since is None else aged(now_us, since)}


def events(cluster: Cluster, key: ObjectKey) -> list[dict[str, Any]]:
    """What its controller said, newest first, the same again and again once; what was undone does not count."""
    rows = Event.objects.filter(
        cluster_id=cluster.pk, kind="EventRecorded", object_key="/".join(key), seq__lte=cluster.seq
    ).order_by("-seq")[: 2 * EVENTS]
    stretches = store.lineage(cluster.pk, cluster.seq)
    found = [row for row in rows if any(one.after < row.seq <= one.last for one in stretches)][:EVENTS]
    same = groupby(found, key=lambda row: (row.payload["reason"], row.payload["message"]))
    alike = [list(group) for _, group in same]
    return [
        {"seq": one.seq, "clock": clock(one.at_us, cluster.start_us), "count": len(group), **one.payload}
        for one, group in ((group[0], group) for group in alike)
    ]


def workload_fault(cluster: Cluster, namespace: str, subsets: Iterable[ExistingSubset]) -> str:
    """The newest warning of its workloads: why their pods are not there. "" if there is none."""
    keys = [f"{one.kind.label}/{namespace}/{one.workload}" for one in subsets][:WORKLOADS]
    told = Event.objects.filter(
        counted(cluster.pk, cluster.seq), cluster_id=cluster.pk, kind="EventRecorded", object_key__in=keys
    ).order_by("-seq")
    newest = next(iter(told[:1]), None)
    if newest is None or newest.payload["type"] != "Warning":
        return ""
    return f"`{newest.object_key.rpartition('/')[2]}`: {newest.payload['message'].rstrip('.')}"


def last_fault(found: Iterable[dict[str, Any]], last_look: int | None) -> str:
    """Why the last pass failed, "" if it did not. `found`: newest first; a pass is told of behind its look."""
    return next((one["message"] for one in found if one["seq"] > (last_look or 0) and one["type"] == "Warning"), "")


def revisions(simulation: Simulation, key: ObjectKey, status: Status) -> list[dict[str, Any]]:
    """Newest first."""
    found = sorted(stored_revisions(simulation, key, owners_of(simulation)), key=lambda one: -one.number)
    return [
        {
            "number": one.number,
            "name": one.name,
            "is_current": one.name == status.current_revision,
            "is_updated": one.name == status.updated_revision,
        }
        for one in found
    ]


def pods(
    simulation: Simulation, namespace: str, subsets: Iterable[ExistingSubset], now_us: int
) -> list[dict[str, Any]]:
    """The first `PODS`, in the order of the subsets."""
    found = [(one, pod) for one in subsets for pod in one.pods]
    return [_pod(simulation, namespace, subset, pod, now_us) for subset, pod in found[:PODS]]


def _pod(simulation: Simulation, namespace: str, subset: ExistingSubset, pod: OwnedPod, now_us: int) -> dict[str, Any]:
    queued = simulation.queued(f"{namespace}/{pod.name}")
    return {
        "name": pod.name,
        "subset": subset.name,
        "node": pod.node_name,
        "state": _state(pod),
        "queue": queued.place if queued is not None else "",
        "revision": short(pod.revision),
        "is_old": pod.revision != subset.revision,
        "is_reserved": pod.reserved == "true",
        "age": "" if pod.created_us is None else aged(now_us, pod.created_us),
    }


def _state(pod: OwnedPod) -> str:
    if pod.deleting:
        return "Terminating"
    if not pod.node_name:
        return "Pending"
    return "Ready" if pod.ready else "Not ready"
