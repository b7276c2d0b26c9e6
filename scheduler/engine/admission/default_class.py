"""The storage class of a claim that names none: the default one. Source: v1.34.1 pkg/volume/util/storageclass.go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler.engine.objects import StorageClass
from scheduler.engine.volumes.claims import CLASS, is_default


def default_class(classes: Iterable[StorageClass]) -> str:
    """The newest of those marked as default, of equally old ones the first by name; "" if there is none."""
    by_name = sorted(filter(is_default, classes), key=lambda one: one.name)
    newest = max(by_name, key=lambda one: one.metadata.creation_timestamp or "", default=None)
    return newest.name if newest is not None else ""


def name_class(claim: dict[str, Any], classes: Iterable[StorageClass]) -> None:
    """A claim that says "" wants no class. One that has its volume is as its cluster had it."""
    spec, annotations = claim["spec"], claim["metadata"].get("annotations", {})
    if "storageClassName" in spec or CLASS in annotations or spec.get("volumeName"):
        return
    if name := default_class(classes):
        spec["storageClassName"] = name
