"""Taking nodes out of service and back, as kubectl and the controllers of nodes and pods do it together."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from scheduler.engine.commands import AddObject, DeleteObject, UpdateObject
from scheduler.engine.errors import Refused
from scheduler.engine.events import Event as Happened
from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import Pod as PodRow
from scheduler.services.admit import Admission
from scheduler.services.commit import Committed, write
from scheduler.services.evictions import Leaving, abandoned, drained
from scheduler.services.objects import manifest_of, objects_change
from scheduler.services.pods import unplaced

CORDON = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
"""The taint of a node that is cordoned; no controller runs here, so cordoning itself sets and removes it."""


def nodes_cordon(cluster_id: int, names: Iterable[str], actor: str = "", *, cordoned: bool = True) -> Committed:
    """Close nodes to new pods, or open them again. Raises `Refused` for a node that is not there."""
    return objects_change(cluster_id, [("Node", "", name) for name in names], _cordoning(cordoned), actor)


def nodes_drain(
    cluster_id: int, names: Iterable[str], actor: str = "", *, ignore_budgets: bool = True, seen: int | None = None
) -> Committed:
    """Cordon nodes and evict their pods, in one commit; see `evictions.drained` for those that stay or come back.

    `seen`: the event that must still be the last one. Raises `Refused`.
    """
    wanted = list(names)
    return write(cluster_id, _unless_changed(partial(drain, cluster_id, wanted, ignore_budgets), seen), actor=actor)


def node_delete(cluster_id: int, name: str, actor: str = "", *, seen: int | None = None) -> Committed:
    """Delete a node and, as the garbage collector of pods does, its pods. Raises `Refused`."""
    return write(cluster_id, _unless_changed(partial(remove, cluster_id, name), seen), actor=actor)


def drain(cluster_id: int, names: list[str], ignore_budgets: bool, simulation: Simulation) -> list[Happened]:
    """What a drain makes happen on this state, which may be a copy of the newest one."""
    events: list[Happened] = []
    for name in names:
        edited = with_cordon(manifest_of(cluster_id, ("Node", "", name)), True)
        events += simulation.handle(UpdateObject("Node", Admission(simulation).apply(edited)[1]))
    for name in names:
        leaving = drained(simulation, name, ignore_budgets=ignore_budgets)
        events += _evict(cluster_id, simulation, leaving, name)
    return events


def remove(cluster_id: int, name: str, simulation: Simulation) -> list[Happened]:
    """What the deletion of a node makes happen on this state, which may be a copy of the newest one."""
    leaving = abandoned(simulation, name)
    return simulation.handle(DeleteObject("Node", "", name)) + _evict(cluster_id, simulation, leaving, name)


def _evict(cluster_id: int, simulation: Simulation, leaving: list[Leaving], by: str) -> list[Happened]:
    """`by`: the name of the node."""
    events: list[Happened] = []
    again = _manifests(cluster_id, [one.pod.key for one in leaving if one.fate == "requeued"])
    for one in leaving:
        if one.goes and simulation.pod(one.pod.key) is not None:
            events += simulation.handle(DeleteObject("Pod", one.pod.namespace, one.pod.name, "evicted", by))
    for manifest in again:
        kind, admitted = Admission(simulation).create(manifest)
        events += simulation.handle(AddObject(kind, admitted))
    return events


def _manifests(cluster_id: int, keys: list[str]) -> list[dict[str, Any]]:
    """The pods as their controller would make them anew, in the order of the keys."""
    names = [key.partition("/")[2] for key in keys]
    rows = PodRow.objects.filter(cluster_id=cluster_id, name__in=names)
    held = {row.key: row.manifest for row in rows}
    return [unplaced(held[key]) for key in keys]


def _unless_changed(
    decide: Callable[[Simulation], list[Happened]], seen: int | None
) -> Callable[[Simulation], list[Happened]]:
    def checked(simulation: Simulation) -> list[Happened]:
        if seen is not None and simulation.seq != seen:
            raise Refused("Something else has happened meanwhile; nothing was done. Look again at what would happen.")
        return decide(simulation)

    return checked


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
