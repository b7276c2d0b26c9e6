"""Hints of the algorithms that look at volumes. Source: v1.34.1, plugins volumerestrictions, nodevolumelimits, …"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

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
from scheduler.engine.values import quantity
from scheduler.engine.volumes.claims import WAIT_FOR_FIRST_CONSUMER, claims_named, namespace_of
from scheduler.engine.volumes.counting import is_counted
from scheduler.engine.volumes.csi import MIGRATED_PLUGINS, in_tree_source
from scheduler.engine.volumes.csi_nodes import limits
from scheduler.engine.volumes.disks import conflict
from scheduler.engine.volumes.zones import LABELS, zones

_Some: TypeAlias = KubernetesObject | None

# --- which claims a pod uses ------------------------------------------------------------------------------------------


def _claims(one: Pod, *, ephemeral: bool) -> set[str]:
    """Names of its claims; those of generic ephemeral volumes are called `<pod>-<volume>`."""
    return {name for name, _ in claims_named(one, ephemeral=ephemeral)}


def _uses(waiting: Pod, claim: _Some, *, ephemeral: bool) -> bool:
    return (
        isinstance(claim, PersistentVolumeClaim)
        and namespace_of(claim) == namespace_of(waiting)
        and claim.name in _claims(waiting, ephemeral=ephemeral)
    )


def claim_of_volume(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    return _uses(waiting, new, ephemeral=False)


def claim(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    return _uses(waiting, new, ephemeral=True)


# --- VolumeRestrictions -----------------------------------------------------------------------------------------------


def freed_volume(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    gone = pod(old)
    if gone is None or namespace_of(gone) != namespace_of(waiting):
        return False
    if any(conflict(a, b) for a in waiting.spec.volumes or () for b in gone.spec.volumes or ()):
        return True
    return bool(_claims(waiting, ephemeral=False) & _claims(gone, ephemeral=False))


# --- NodeVolumeLimits -------------------------------------------------------------------------------------------------


def raised_limit(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    if not isinstance(old, CSINode) or not isinstance(new, CSINode):
        return True
    before = limits(old)
    return any(count > before.get(driver, 0) for driver, count in limits(new).items())


def detached(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    """A pod with volumes that count went away."""
    gone = pod(old)
    return gone is not None and is_placed(gone) and any(is_counted(volume) for volume in gone.spec.volumes or ())


def attachment_gone(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    if not isinstance(old, VolumeAttachment):
        return False
    volumes: Iterable[Volume] = waiting.spec.volumes or ()
    return any(volume.persistent_volume_claim is not None or old.spec.attacher == _driver(volume) for volume in volumes)


def _driver(volume: Volume) -> str:
    """The driver that serves a volume which the pod names itself, "" if none does."""
    source = in_tree_source(volume)
    return source[0].driver if source is not None else ""


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
    return after is not None and (before is None or quantity.value(after) > quantity.value(before))


def _volume_limit(one: CSIStorageCapacity) -> Quantity | None:
    return one.maximum_volume_size if one.maximum_volume_size is not None else one.capacity


# --- VolumeZone -------------------------------------------------------------------------------------------------------


def waiting_class(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    return isinstance(new, StorageClass) and new.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER


def moved_volume(waiting: Pod, old: _Some, new: _Some, about: Context) -> bool:
    """A volume is new, or its zone or region changed."""
    if not isinstance(old, PersistentVolume) or not isinstance(new, PersistentVolume):
        return True
    return any(zones(old, label) != zones(new, label) for label in LABELS)
