"""Manifests with some fields changed, of another object like one, and of a pod that is made anew."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from scheduler.engine.fixes.change import Arguments, Clone, Path, Put

Manifest: TypeAlias = dict[str, Any]

HOSTNAME = "kubernetes.io/hostname"
DEFAULT_SCHEDULER = "default-scheduler"
_OF_ONE_LIFE = ("uid", "creationTimestamp", "resourceVersion", "deletionTimestamp", "generation", "managedFields")


def put(manifest: Manifest, puts: Iterable[Put]) -> Manifest:
    """A copy with these changes; what they do not touch is shared. Maps on the way are made where they are missing."""
    for one in puts:
        manifest = _put(manifest, one.path, one.value)
    return manifest


def _put(target: Any, path: Path, value: Any) -> Any:
    head, *rest = path
    if isinstance(head, int):
        return _put_item(list(target), head, tuple(rest), value)
    copy = dict(target or {})
    new = _put(copy.get(head), tuple(rest), value) if rest else value
    if new is None:
        copy.pop(head, None)
    else:
        copy[head] = new
    return copy


def _put_item(items: list[Any], place: int, rest: Path, value: Any) -> list[Any]:
    new = _put(items[place], rest, value) if rest else value
    items[place : place + 1] = [] if new is None else [new]
    return items


def cloned(manifest: Manifest, edit: Clone) -> Manifest:
    """Another object of the same sort."""
    metadata = {**_without_identity(manifest["metadata"]), "name": edit.name}
    labels = metadata.get("labels") or {}
    if edit.key[0] == "Node" and HOSTNAME in labels:
        metadata["labels"] = {**labels, HOSTNAME: edit.name}
    return put({**manifest, "metadata": metadata}, edit.puts)


def with_arguments(configuration: Manifest, edit: Arguments) -> Manifest:
    """A configuration with these changes to one algorithm's arguments. Raises LookupError where it has none."""
    at, profile = _profile(configuration, edit.key[2])
    entries = profile.get("pluginConfig") or []
    place = next((number for number, one in enumerate(entries) if one.get("name") == edit.algorithm), None)
    if place is None:
        raise LookupError(f"{edit.algorithm} in profile {edit.key[2]}")
    path: Path = ("profiles", at, "pluginConfig", place, "args")
    return put(configuration, [Put((*path, *one.path), one.value) for one in edit.puts])


def profile_of(configuration: Manifest, name: str) -> Manifest:
    """As it is written. Raises LookupError."""
    return _profile(configuration, name)[1]


def _profile(configuration: Manifest, name: str) -> tuple[int, Manifest]:
    for at, profile in enumerate(configuration.get("profiles") or []):
        if (profile.get("schedulerName") or DEFAULT_SCHEDULER) == name:
            return at, profile
    raise LookupError(f"profile {name}")


def anew(manifest: Manifest) -> Manifest:
    """A pod as its controller would make it again: without node, status, and what belongs to one life."""
    spec = {name: value for name, value in (manifest.get("spec") or {}).items() if name != "nodeName"}
    rest = {name: value for name, value in manifest.items() if name != "status"}
    return {**rest, "metadata": _without_identity(manifest["metadata"]), "spec": spec}


def _without_identity(metadata: Manifest) -> Manifest:
    return {name: value for name, value in metadata.items() if name not in _OF_ONE_LIFE}
