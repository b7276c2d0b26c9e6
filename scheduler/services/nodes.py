"""Taking nodes out of service and back, as kubectl and the node lifecycle controller do it together."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from scheduler.engine.commands import DeleteObject, UpdateObject
from scheduler.engine.events import Event as Happened
from scheduler.engine.objects import OwnerReference, Pod
from scheduler.engine.simulation.simulation import Simulation
from scheduler.services.admit import Admission
from scheduler.services.commit import Committed, write
from scheduler.services.objects import manifest_of, objects_change

MIRROR = "kubernetes.io/config.mirror"
CORDON = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
"""The taint of a node that is cordoned; no controller runs here, so cordoning itself sets and removes it."""


def nodes_cordon(cluster_id: int, names: Iterable[str], actor: str = "", *, cordoned: bool = True) -> Committed:
    """Close nodes to new pods, or open them again. Raises `Refused` for a node that is not there."""
    return objects_change(cluster_id, [("Node", "", name) for name in names], _cordoning(cordoned), actor)


def nodes_drain(cluster_id: int, names: Iterable[str], actor: str = "") -> Committed:
    """Cordon nodes and delete their pods, except those of DaemonSets and mirror pods, in one commit."""
    wanted = list(names)

    def decide(simulation: Simulation) -> list[Happened]:
        admission, events = Admission(simulation), []
        for name in wanted:
            edited = _cordoning(True)(manifest_of(cluster_id, ("Node", "", name)))
            events += simulation.handle(UpdateObject("Node", admission.apply(edited)[1]))
        for pod in _leaving(simulation, wanted):
            events += simulation.handle(DeleteObject("Pod", pod.namespace, pod.name))
        return events

    return write(cluster_id, decide, actor=actor)


def _cordoning(cordoned: bool) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda manifest: with_cordon(manifest, cordoned)


def with_cordon(manifest: dict[str, Any], cordoned: bool) -> dict[str, Any]:
    """A node's manifest with `spec.unschedulable` and the taint that goes with it, or without both."""
    before = manifest.get("spec") or {}
    spec = {name: value for name, value in before.items() if name not in ("unschedulable", "taints")}
    taints = [one for one in before.get("taints") or [] if not _is_cordon(one)]
    if cordoned:
        spec["unschedulable"] = True
        taints.append(dict(CORDON))
    return {**manifest, "spec": {**spec, "taints": taints} if taints else spec}


def _is_cordon(taint: dict[str, Any]) -> bool:
    return all(taint.get(name) == value for name, value in CORDON.items())


def _leaving(simulation: Simulation, names: Iterable[str]) -> Iterator[Pod]:
    for name in names:
        for info in simulation.cluster.pods_on(name):
            if not _stays(info.pod):
                yield info.pod


def _stays(pod: Pod) -> bool:
    owners: list[OwnerReference] = pod.metadata.owner_references or []
    return MIRROR in pod.annotations or any(owner.controller and owner.kind == "DaemonSet" for owner in owners)
