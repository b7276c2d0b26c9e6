"""Creating, changing and deleting the objects of a cluster, as one would with kubectl."""

from collections.abc import Callable, Iterable
from typing import Any

from scheduler.engine.commands import AddObject, DeleteObject, UpdateObject
from scheduler.engine.errors import Invalid, Refused
from scheduler.engine.events import Event as Happened
from scheduler.engine.objects import ObjectKey, key_of
from scheduler.engine.simulation.simulation import Simulation
from scheduler.models import KubeObject
from scheduler.services.admit import Admission, kind_of
from scheduler.services.commit import Committed, execute, write
from scheduler.services.projection.tables import table_of


class Overtaken(Refused):
    """Somebody else changed the object since it was read. Nothing was written."""


Edit = Callable[[dict[str, Any]], dict[str, Any]]
OnInvalid = Callable[[int, Invalid], None]


def objects_apply(
    cluster_id: int, manifests: Iterable[dict[str, Any]], actor: str = "", on_invalid: OnInvalid | None = None
) -> Committed:
    """Create what is not there and replace what is, together or not at all.

    A manifest that the API server would refuse raises `Invalid`; with `on_invalid` it is told by index and left out.
    """
    given = list(manifests)

    def decide(simulation: Simulation) -> list[Happened]:
        return [event for index, one in enumerate(given) for event in _apply_one(simulation, index, one, on_invalid)]

    return write(cluster_id, decide, actor=actor)


def _apply_one(
    simulation: Simulation, index: int, manifest: dict[str, Any], on_invalid: OnInvalid | None
) -> list[Happened]:
    try:
        kind, admitted, exists = Admission(simulation).apply(manifest)
    except Invalid as fault:
        if on_invalid is None:
            raise
        on_invalid(index, fault)
        return []
    return simulation.handle(UpdateObject(kind, admitted) if exists else AddObject(kind, admitted))


def object_create(cluster_id: int, manifest: dict[str, Any], actor: str = "") -> Committed:
    """Create one object. Raises `Invalid`, also if there is one of that name already."""

    def decide(simulation: Simulation) -> list[Happened]:
        kind, admitted = Admission(simulation).create(manifest)
        return simulation.handle(AddObject(kind, admitted))

    return write(cluster_id, decide, actor=actor)


def object_replace(cluster_id: int, manifest: dict[str, Any], expected: dict[str, Any], actor: str = "") -> Committed:
    """Replace an object if it still is as `expected`. Raises `Overtaken` if not, `Invalid`, `Refused`."""
    key = key_of(kind_of(manifest), manifest)

    def decide(simulation: Simulation) -> list[Happened]:
        if manifest_of(cluster_id, key) != expected:
            raise Overtaken(f"{key[0]} {key[2]} has changed meanwhile; nothing was written.")
        return _apply_one(simulation, 0, manifest, None)

    return write(cluster_id, decide, actor=actor)


def objects_change(cluster_id: int, keys: Iterable[ObjectKey], edit: Edit, actor: str = "") -> Committed:
    """Edit objects that exist: `edit` gets a stored manifest (a copy of its own) and returns the new one."""
    wanted = list(keys)

    def decide(simulation: Simulation) -> list[Happened]:
        manifests = [edit(manifest_of(cluster_id, key)) for key in wanted]
        return [event for index, one in enumerate(manifests) for event in _apply_one(simulation, index, one, None)]

    return write(cluster_id, decide, actor=actor)


def manifest_of(cluster_id: int, key: ObjectKey) -> dict[str, Any]:
    """An object's stored manifest. Raises `Refused` if there is no such object."""
    kind, namespace, name = key
    where = {} if kind == "Node" else {"namespace": namespace}
    if table_of(kind) is KubeObject:
        where["kind"] = kind
    row = table_of(kind)._default_manager.filter(cluster_id=cluster_id, name=name, **where).values("manifest").first()
    if row is None:
        raise Refused(f"There is no {kind} {f'{namespace}/{name}' if namespace else name}.")
    manifest: dict[str, Any] = row["manifest"]
    return manifest


def object_delete(cluster_id: int, kind: str, namespace: str, name: str, actor: str = "") -> Committed:
    """Raises `Refused` if there is no such object."""
    return execute(cluster_id, DeleteObject(kind, namespace, name), actor=actor)


def objects_delete(cluster_id: int, keys: Iterable[ObjectKey], actor: str = "") -> Committed:
    """Delete several objects, together or not at all. One that went with its owner is gone as it should be."""
    wanted = list(keys)

    def decide(simulation: Simulation) -> list[Happened]:
        events: list[Happened] = []
        missing = {key for key in wanted if simulation.cluster.get(*key) is None}
        for key in wanted:
            if key in missing or simulation.cluster.get(*key) is not None:
                events += simulation.handle(DeleteObject(*key))
        return events

    return write(cluster_id, decide, actor=actor)
