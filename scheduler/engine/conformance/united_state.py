"""What a recording found there, as the values that a reconcile pass works on."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from scheduler.engine.errors import Invalid
from scheduler.engine.simulation.settings import SECOND_US
from scheduler.engine.uniteddeployment.spec import UnitedDeployment, WorkloadKind
from scheduler.engine.uniteddeployment.state import ExistingSubset, Schedulability
from scheduler.engine.workloads.owned import OwnedPod

Data = dict[str, Any]
_KINDS = {kind.label: kind for kind in WorkloadKind}


def found(given: Data, ud: UnitedDeployment, now: int = 0) -> ExistingSubset:
    """A workload; `now` is the moment that ages count back from, µs. A Deployment carries no partition.

    Raises Invalid where nothing says of which kind it is.
    """
    kind = _KINDS[given["kind"]] if "kind" in given else ud.workload_kind
    if kind is None:
        raise Invalid("no workload template", "spec.template")
    return ExistingSubset(
        name=given["name"],
        workload=given.get("workload", f"{ud.name}-{given['name']}-w"),
        kind=kind,
        spec_replicas=given["spec_replicas"],
        partition=0 if kind is WorkloadKind.DEPLOYMENT else given.get("spec_partition", 0),
        status_replicas=given.get("status_replicas", 0),
        ready_replicas=given.get("ready_replicas", 0),
        revision=given.get("revision", ""),
        patch=given.get("patch", ""),
        pods=tuple(owned_pod(pod, now) for pod in sorted(given.get("pods", ()), key=itemgetter("name"))),
    )


def owned_pod(given: Data, now: int) -> OwnedPod:
    age = given.get("age_seconds")
    return OwnedPod(
        name=given["name"],
        phase=given.get("phase", ""),
        created_us=None if age is None else now - age * SECOND_US,
        node_name=given.get("node_name", ""),
        unschedulable=given.get("unschedulable", False),
        ready=given.get("ready"),
        ready_since_us=now - given.get("ready_seconds", 0) * SECOND_US,
        revision=given.get("revision", ""),
        reserved=given.get("reserved", ""),
        deleting=given.get("deleting", False),
    )


def schedulability(given: Data) -> Schedulability:
    """What was found out about a subset, where a recording says it rather than lets it be found."""
    return Schedulability(
        unschedulable=given.get("unschedulable", False),
        marked=given.get("marked_as_unschedulable", False),
        reserved_pods=given.get("reserved_pods", 0),
    )


def canon(value: Any) -> Any:
    """Without nulls and empty maps, as recordings are reduced; an empty `emptyDir` says something."""
    if isinstance(value, list):
        return [canon(one) for one in value]
    if not isinstance(value, dict):
        return value
    reduced = {key: canon(one) for key, one in value.items()}
    return {key: one for key, one in reduced.items() if not _says_nothing(key, one)}


def _says_nothing(key: str, value: Any) -> bool:
    return value is None or (value == {} and key != "emptyDir") or (key == "serviceName" and value == "")
