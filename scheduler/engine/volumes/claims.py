"""The claims of a pod and the objects that they lead to.

Source: v1.34.1, component-helpers storage/volume and storage/ephemeral.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

from scheduler.engine.objects import (
    KubernetesObject,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    StorageClass,
    Volume,
)

if TYPE_CHECKING:
    from scheduler.engine.cluster.snapshot import Snapshot

BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
CLASS = "volume.beta.kubernetes.io/storage-class"
WAIT_FOR_FIRST_CONSUMER = "WaitForFirstConsumer"
IS_DEFAULT = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")


class Claim(NamedTuple):
    """A volume's claim. `name` is "" only where no API server saw the pod; `found` is None if it is missing."""

    key: str
    name: str
    is_ephemeral: bool
    found: PersistentVolumeClaim | None


def namespace_of(one: KubernetesObject) -> str:
    return one.namespace or "default"


def claim_name(pod: Pod, volume: Volume) -> str | None:
    """The claim that a volume uses, None if it uses none. A generic ephemeral volume gets its own."""
    if volume.persistent_volume_claim is not None:
        return volume.persistent_volume_claim.claim_name
    return f"{pod.name}-{volume.name}" if volume.ephemeral is not None else None


def claims_named(pod: Pod, *, ephemeral: bool = True) -> Iterator[tuple[str, bool]]:
    """(name, is_ephemeral) in the order of the pod's volumes; with those of generic ephemeral volumes, or without."""
    for volume in pod.spec.volumes or ():
        name = claim_name(pod, volume)
        is_ephemeral = volume.persistent_volume_claim is None
        if name is not None and (ephemeral or not is_ephemeral):
            yield name, is_ephemeral


def claims_of(pod: Pod, snapshot: Snapshot, *, ephemeral: bool = True) -> Iterator[Claim]:
    """The same with what the cluster holds by these names."""
    namespace, claims = namespace_of(pod), snapshot.kind("PersistentVolumeClaim")
    for name, is_ephemeral in claims_named(pod, ephemeral=ephemeral):
        key = f"{namespace}/{name}"
        yield Claim(key, name, is_ephemeral, cast(PersistentVolumeClaim | None, claims.get(key)))


def ownership_fault(pod: Pod, claim: PersistentVolumeClaim) -> str:
    """What is wrong if an ephemeral volume's claim was not made for its pod; "" if it was."""
    owners = [owner for owner in claim.metadata.owner_references or () if owner.controller]
    if owners and owners[0].uid == pod.uid:
        return ""
    whose = f"{namespace_of(pod)}/{pod.name}"
    return f"PVC {namespace_of(claim)}/{claim.name} was not created for pod {whose} (pod is not owner)"


def class_name(one: PersistentVolumeClaim | PersistentVolume) -> str:
    """The storage class; the old annotation goes before the field, even if it is empty."""
    annotated = one.annotations.get(CLASS)
    return (one.spec.storage_class_name or "") if annotated is None else annotated


def is_default(one: StorageClass) -> bool:
    """Whether claims that name no class may get it. Source: v1.34.1 pkg/volume/util/storageclass.go."""
    return any(one.annotations.get(mark) == "true" for mark in IS_DEFAULT)


def storage_class(snapshot: Snapshot, claim: PersistentVolumeClaim) -> StorageClass | None:
    return cast(StorageClass | None, snapshot.kind("StorageClass").get(class_name(claim)))


def persistent_volume(snapshot: Snapshot, name: str) -> PersistentVolume | None:
    return cast(PersistentVolume | None, snapshot.kind("PersistentVolume").get(name))


def is_bound(claim: PersistentVolumeClaim) -> bool:
    return bool(claim.spec.volume_name) and BIND_COMPLETED in claim.annotations


def claim_not_found(name: str) -> str:
    return f'persistentvolumeclaim "{name}" not found'


def volume_not_found(name: str) -> str:
    return f'persistentvolume "{name}" not found'


def class_not_found(name: str) -> str:
    return f'storageclass.storage.k8s.io "{name}" not found'
