"""Claims, volumes and their binding as edits: what a volume controller and a provisioner would write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.fixes.change import Create, Delete, Edit, Patch, Put
from scheduler.engine.objects import ObjectKey, PersistentVolumeClaim, StorageClass
from scheduler.engine.values.quantity import format_compared
from scheduler.engine.volumes.claims import (
    BIND_COMPLETED,
    WAIT_FOR_FIRST_CONSUMER,
    class_name,
    is_default,
    namespace_of,
)
from scheduler.engine.volumes.matching import STORAGE, requested
from scheduler.engine.volumes.provisioning import NO_PROVISIONER

if TYPE_CHECKING:
    from collections.abc import Iterator

CLAIM, VOLUME, CLASS = "PersistentVolumeClaim", "PersistentVolume", "StorageClass"
GUESS = "1Gi"
_Spec = dict[str, Any]


def claim_key(claim: PersistentVolumeClaim) -> ObjectKey:
    return (CLAIM, namespace_of(claim), claim.name)


def size_of(claim: PersistentVolumeClaim) -> str:
    """What it asks for, as people write it."""
    return size_text(int(requested(claim))) if requested(claim) else GUESS


def size_text(amount: int) -> str:
    return sizes(amount)[0]


def sizes(*amounts: int) -> list[str]:
    """What one title compares, in one unit."""
    return format_compared("memory", *amounts)


def claim_spec(claim: PersistentVolumeClaim) -> _Spec:
    """What a claim like this one asks for, bound to nothing."""
    wanted: _Spec = {"accessModes": list(claim.spec.access_modes or ["ReadWriteOnce"])}
    wanted["resources"] = {"requests": {STORAGE: size_of(claim)}}
    return {**wanted, "storageClassName": class_name(claim), "volumeMode": claim.spec.volume_mode or "Filesystem"}


def plain_spec(storage_class: str) -> _Spec:
    """Of a claim of which only the name is known."""
    spec: _Spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {STORAGE: GUESS}}}
    return {**spec, "storageClassName": storage_class}


def new_claim(key: ObjectKey, spec: _Spec, volume: str = "", **metadata: Any) -> Create:
    """`volume`: to which it is bound."""
    kind, namespace, name = key
    annotations = {"annotations": {BIND_COMPLETED: "yes"}} if volume else {}
    manifest: _Spec = {
        "apiVersion": "v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": namespace, **annotations, **metadata},
        "spec": {**spec, "volumeName": volume} if volume else spec,
        "status": {"phase": "Bound" if volume else "Pending"},
    }
    return Create(key, manifest)


def anew(claim: PersistentVolumeClaim, spec: _Spec, volume: str = "") -> tuple[Edit, ...]:
    """The claim deleted and made again, empty."""
    labels = {"labels": dict(claim.labels)} if claim.labels else {}
    return Delete(claim_key(claim)), new_claim(claim_key(claim), spec, volume, **labels)


def new_volume(name: str, spec: _Spec, *, driver: str = "", claim: ObjectKey | None = None, **more: Any) -> Create:
    """A volume as a claim's `spec` asks for it. `claim`: to which it is bound; `more`: other fields of its spec."""
    source: _Spec = {"csi": {"driver": driver, "volumeHandle": name}} if driver else {"hostPath": {"path": f"/{name}"}}
    manifest: _Spec = {
        "apiVersion": "v1",
        "kind": VOLUME,
        "metadata": {"name": name},
        "spec": {
            "capacity": dict(spec["resources"]["requests"]),
            "accessModes": list(spec["accessModes"]),
            "storageClassName": spec["storageClassName"],
            "volumeMode": spec.get("volumeMode", "Filesystem"),
            **source,
            **({"claimRef": reference(claim)} if claim is not None else {}),
            **more,
        },
        "status": {"phase": "Bound" if claim is not None else "Available"},
    }
    return Create((VOLUME, "", name), manifest)


def reference(claim: ObjectKey) -> _Spec:
    return {"apiVersion": "v1", "kind": claim[0], "namespace": claim[1], "name": claim[2]}


def bound_claim(claim: PersistentVolumeClaim, volume: str) -> Patch:
    puts = [Put(("spec", "volumeName"), volume), Put(("metadata", "annotations", BIND_COMPLETED), "yes")]
    return Patch(claim_key(claim), (*puts, Put(("status", "phase"), "Bound")))


def bound_volume(volume: str, claim: ObjectKey) -> Patch:
    puts = (Put(("spec", "claimRef"), reference(claim)), Put(("status", "phase"), "Bound"))
    return Patch((VOLUME, "", volume), puts)


def fresh_volume(snapshot: Snapshot, stem: str) -> str:
    """A name that no volume has."""
    taken, number = snapshot.kind(VOLUME), 1
    while (name := f"{stem}-volume" if number == 1 else f"{stem}-volume-{number}") in taken:
        number += 1
    return name


def classes(snapshot: Snapshot) -> Iterator[StorageClass]:
    """That make volumes, the default one first."""
    found = [cast(StorageClass, one) for one in snapshot.kind(CLASS).values()]
    found = [one for one in found if one.provisioner not in ("", NO_PROVISIONER)]
    yield from sorted(found, key=lambda one: (not is_default(one), one.name))


def late_class(snapshot: Snapshot, besides: str = "") -> StorageClass | None:
    """One that makes a volume once the pod has its node; not the class `besides`."""
    late = (one for one in classes(snapshot) if one.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER)
    return next((one for one in late if one.name != besides), None)
