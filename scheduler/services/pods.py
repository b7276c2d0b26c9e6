"""Pods in the queues: brought forward, sent back, and more of their kind."""

from collections.abc import Iterable
from typing import Any

from scheduler.engine.commands import ActivatePods, AddObject, DeleteObject
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.events import Event as Happened
from scheduler.engine.simulation.simulation import Simulation
from scheduler.services.admit import Admission
from scheduler.services.commit import Committed, execute, write
from scheduler.services.objects import manifest_of

MOST_CLONES = 500
_OF_ONE_LIFE = ("uid", "creationTimestamp", "resourceVersion", "deletionTimestamp", "generation", "managedFields")


def pods_activate(cluster_id: int, keys: Iterable[str], actor: str = "") -> Committed:
    """Bring waiting pods (`namespace/name`) to activeQ now."""
    return execute(cluster_id, ActivatePods(tuple(keys)), actor=actor)


def pods_requeue(cluster_id: int, keys: Iterable[str], actor: str = "") -> Committed:
    """Take pods off their nodes and queue them anew under their names; waiting ones are activated. In one commit.

    A pod cannot be moved: it is deleted and made once more. Raises `Refused` for one that is not there or has ended.
    """
    wanted = list(keys)

    def decide(simulation: Simulation) -> list[Happened]:
        events, waiting = [], []
        for key in wanted:
            pod = simulation.pod(key)
            if pod is None or pod.is_finished:
                raise Refused(f"Pod {key} {'is not there any more' if pod is None else 'has ended'}.")
            if pod.node_name:
                events += _made_anew(cluster_id, simulation, key)
            else:
                waiting.append(key)
        return events + (simulation.handle(ActivatePods(tuple(waiting))) if waiting else [])

    return write(cluster_id, decide, actor=actor)


def pods_clone(cluster_id: int, keys: Iterable[str], copies: int, actor: str = "") -> Committed:
    """Add `copies` waiting pods like each of these, without its owner, which would not want so many. In one commit."""
    wanted = list(keys)
    if not 0 < copies * len(wanted) <= MOST_CLONES:
        raise Invalid(f"must be from 1 to {MOST_CLONES} new pods in all", "copies")

    def decide(simulation: Simulation) -> list[Happened]:
        admission, events = Admission(simulation), []
        for key in wanted:
            manifest = unplaced(manifest_of(cluster_id, _object_key(key)))
            manifest["metadata"].pop("ownerReferences", None)
            for name in _free_names(simulation, key, copies):
                kind, admitted = admission.create({**manifest, "metadata": {**manifest["metadata"], "name": name}})
                events += simulation.handle(AddObject(kind, admitted))
        return events

    return write(cluster_id, decide, actor=actor)


def unplaced(manifest: dict[str, Any]) -> dict[str, Any]:
    """A pod as its manifest was before it had a life and a node."""
    metadata = {name: value for name, value in manifest["metadata"].items() if name not in _OF_ONE_LIFE}
    spec = {name: value for name, value in (manifest.get("spec") or {}).items() if name != "nodeName"}
    rest = {name: value for name, value in manifest.items() if name not in ("metadata", "spec", "status")}
    return {**rest, "metadata": metadata, "spec": spec}


def _made_anew(cluster_id: int, simulation: Simulation, key: str) -> list[Happened]:
    manifest = unplaced(manifest_of(cluster_id, _object_key(key)))
    events = simulation.handle(DeleteObject(*_object_key(key)))
    kind, admitted = Admission(simulation).create(manifest)
    return events + simulation.handle(AddObject(kind, admitted))


def _free_names(simulation: Simulation, key: str, copies: int) -> list[str]:
    namespace, _, name = key.partition("/")
    found: list[str] = []
    number = 1
    while len(found) < copies:
        number += 1
        one = f"{name[:240]}-{number}"
        if simulation.pod(f"{namespace}/{one}") is None:
            found.append(one)
    return found


def _object_key(key: str) -> tuple[str, str, str]:
    namespace, _, name = key.partition("/")
    return "Pod", namespace, name
