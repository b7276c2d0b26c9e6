"""Hints of the algorithms that look at volumes. Source: v1.34.1, plugins volumerestrictions, nodevolumelimits, …"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from scheduler.engine import quantity
from scheduler.engine.hints.context import Context, is_placed, pod
from scheduler.engine.objects import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    KubernetesObject,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    Quantity,
    StorageClass,
    Volume,
    VolumeAttachment,
)

_Some: TypeAlias = KubernetesObject | None

MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins"
_ZONE_LABELS = (
    "failure-domain.beta.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
)
_MIGRATABLE = {
    "aws_elastic_block_store": "ebs.csi.aws.com",
    "gce_persistent_disk": "pd.csi.storage.gke.io",
    "azure_disk": "disk.csi.azure.com",
    "azure_file": "file.csi.azure.com",
    "cinder": "cinder.csi.openstack.org",
    "vsphere_volume": "csi.vsphere.vmware.com",
    "portworx_volume": "pxd.portworx.com",
}
"""In-tree volume sources that a CSI driver serves today, and that driver."""


# --- which claims a pod uses ------------------------------------------------------------------------------------------


def _claims(one: Pod, *, ephemeral: bool) -> set[str]:
    """Names of its claims; those of generic ephemeral volumes are called `<pod>-<volume>`."""
    volumes = one.spec.volumes or ()
    names = {volume.persistent_volume_claim.claim_name for volume in volumes if volume.persistent_volume_claim}
    if ephemeral:
        names |= {f"{one.name}-{volume.name}" for volume in volumes if volume.ephemeral is not None}
    return names


def _uses(waiting: Pod, claim: _Some, *, ephemeral: bool) -> bool:
    return (
        isinstance(claim, PersistentVolumeClaim)
        and _namespace(claim) == _namespace(waiting)
        and claim.name in _claims(waiting, ephemeral=ephemeral)
    )


def claim_of_volume(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    return _uses(waiting, new, ephemeral=False)


def claim(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    return _uses(waiting, new, ephemeral=True)


def _namespace(one: KubernetesObject) -> str:
    return one.namespace or "default"


# --- VolumeRestrictions -----------------------------------------------------------------------------------------------


def freed_volume(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    gone = pod(old)
    if gone is None or _namespace(gone) != _namespace(waiting):
        return False
    if any(_conflict(a, b) for a in waiting.spec.volumes or () for b in gone.spec.volumes or ()):
        return True
    return bool(_claims(waiting, ephemeral=False) & _claims(gone, ephemeral=False))


def _conflict(a: Volume, b: Volume) -> bool:
    """Whether two inline volumes cannot be on one node: the same disk, and not both of them only read."""
    if a.gce_persistent_disk and b.gce_persistent_disk:
        return _same(a.gce_persistent_disk, b.gce_persistent_disk, "pdName") and not _both_read(
            a.gce_persistent_disk, b.gce_persistent_disk
        )
    if a.aws_elastic_block_store and b.aws_elastic_block_store:
        return _same(a.aws_elastic_block_store, b.aws_elastic_block_store, "volumeID")
    if a.iscsi and b.iscsi:
        return _same(a.iscsi, b.iscsi, "iqn") and not _both_read(a.iscsi, b.iscsi)
    return bool(a.rbd and b.rbd) and _rbd_conflict(a.rbd or {}, b.rbd or {})


def _rbd_conflict(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    overlap = set(a.get("monitors") or ()) & set(b.get("monitors") or ())
    pool = (a.get("pool") or "rbd") == (b.get("pool") or "rbd")
    return bool(overlap) and pool and _same(a, b, "image") and not _both_read(a, b)


def _same(a: Mapping[str, Any], b: Mapping[str, Any], field: str) -> bool:
    return (a.get(field) or "") == (b.get(field) or "")


def _both_read(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    return bool(a.get("readOnly") and b.get("readOnly"))


# --- NodeVolumeLimits -------------------------------------------------------------------------------------------------


def raised_limit(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    if not isinstance(old, CSINode) or not isinstance(new, CSINode):
        return True
    before = _limits(old)
    return any(count > before.get(driver, 0) for driver, count in _limits(new).items())


def _limits(one: CSINode) -> dict[str, int]:
    drivers = one.spec.drivers or ()
    return {driver.name: (driver.allocatable.count if driver.allocatable else None) or 0 for driver in drivers}


def detached(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    """A pod with volumes that count went away."""
    gone = pod(old)
    return gone is not None and is_placed(gone) and any(_counts(volume) for volume in gone.spec.volumes or ())


def _counts(volume: Volume) -> bool:
    return volume.persistent_volume_claim is not None or volume.ephemeral is not None or bool(_drivers(volume))


def _drivers(volume: Volume) -> list[str]:
    return [driver for source, driver in _MIGRATABLE.items() if getattr(volume, source, None) is not None]


def attachment_gone(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    if not isinstance(old, VolumeAttachment):
        return False
    volumes: Iterable[Volume] = waiting.spec.volumes or ()
    return any(
        volume.persistent_volume_claim is not None or old.spec.attacher in _drivers(volume) for volume in volumes
    )


# --- VolumeBinding ----------------------------------------------------------------------------------------------------


def topologies_of_class(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    if not isinstance(old, StorageClass) or not isinstance(new, StorageClass):
        return True
    return (old.allowed_topologies or []) != (new.allowed_topologies or [])


def migrated_plugins(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    if old is None or new is None:
        return True
    return old.annotations.get(MIGRATED_PLUGINS, "") != new.annotations.get(MIGRATED_PLUGINS, "")


def capacity_unchecked(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    """A driver that the pod uses inline no longer has its storage capacity looked at."""
    if not isinstance(old, CSIDriver) or not isinstance(new, CSIDriver):
        return True
    used = any(volume.csi and volume.csi.get("driver") == new.name for volume in waiting.spec.volumes or ())
    return used and bool(old.spec.storage_capacity) and not new.spec.storage_capacity


def more_capacity(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    if not isinstance(old, CSIStorageCapacity) or not isinstance(new, CSIStorageCapacity):
        return True
    before, after = _volume_limit(old), _volume_limit(new)
    return after is not None and (before is None or quantity.compare(after, before) > 0)


def _volume_limit(one: CSIStorageCapacity) -> Quantity | None:
    return one.maximum_volume_size if one.maximum_volume_size is not None else one.capacity


# --- VolumeZone -------------------------------------------------------------------------------------------------------


def waiting_class(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    return isinstance(new, StorageClass) and new.volume_binding_mode == "WaitForFirstConsumer"


def moved_volume(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    """A volume is new, or its zone or region changed."""
    if not isinstance(old, PersistentVolume) or not isinstance(new, PersistentVolume):
        return True
    return any(_zones(old, label) != _zones(new, label) for label in _ZONE_LABELS)


def _zones(one: PersistentVolume, label: str) -> frozenset[str] | None:
    """The zones of a label, which are split by `__`; None where there is none, or an empty one."""
    value = one.labels.get(label)
    if value is None:
        return None
    zones = frozenset(zone.strip() for zone in value.split("__"))
    return None if "" in zones else zones
