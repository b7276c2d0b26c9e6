"""Which volumes of a pod count against which driver's limit. Source: v1.34.1 plugins/nodevolumelimits/csi.go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, cast

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.errors import Invalid
from scheduler.engine.framework import SUCCESS, Status, error, unresolvable
from scheduler.engine.objects import PersistentVolume, PersistentVolumeClaim, Pod, Volume, VolumeAttachment
from scheduler.engine.volumes.claims import (
    claim_name,
    claim_not_found,
    class_name,
    namespace_of,
    ownership_fault,
    persistent_volume,
    storage_class,
)
from scheduler.engine.volumes.csi import BY_PLUGIN, in_tree_source

Volumes: TypeAlias = dict[str, str]
"""`driver/handle` → driver."""
Plugins: TypeAlias = frozenset[str]
"""In-tree plugins whose volumes count on a node."""
_Handle: TypeAlias = tuple[str, str] | None
"""Driver and handle of a volume that counts."""


@dataclass(frozen=True)
class Attached:
    """What a node holds: volumes of its pods, and `idle` ones that no pod uses. `fault`: why it cannot be told."""

    volumes: Volumes
    idle: Volumes
    fault: Status = SUCCESS

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter((*self.volumes.values(), *self.idle.values()))

    def held(self, driver: str) -> int:
        return self._counts[driver]


def is_counted(volume: Volume) -> bool:
    """Whether the volume may count on some node."""
    has_claim = volume.persistent_volume_claim is not None or volume.ephemeral is not None
    return has_claim or in_tree_source(volume) is not None


def attached(snapshot: Snapshot, pods: Iterable[PodInfo], plugins: Plugins, attachments: Volumes) -> Attached:
    """What the node of these pods holds, given what is attached to it."""
    volumes: Volumes = {}
    for pod in pods:
        if pod.has_volumes:
            found = volumes_of(snapshot, pod.pod, plugins, is_new=False)
            if isinstance(found, Status):
                return Attached(volumes, {}, found)
            volumes |= found
    return Attached(volumes, {unique: driver for unique, driver in attachments.items() if unique not in volumes})


def attachments(snapshot: Snapshot) -> dict[str, Volumes]:
    """By node, the CSI volumes that are attached, whether a pod uses them or not."""
    found: dict[str, Volumes] = {}
    for one in snapshot.kind("VolumeAttachment").values():
        spec = cast(VolumeAttachment, one).spec
        volume = persistent_volume(snapshot, spec.source.persistent_volume_name or "")
        if spec.attacher and volume is not None and volume.spec.csi is not None:
            unique = f"{spec.attacher}/{_field(volume.spec.csi, 'volumeHandle')}"
            found.setdefault(spec.node_name, {})[unique] = spec.attacher
    return found


def volumes_of(snapshot: Snapshot, pod: Pod, plugins: Plugins, *, is_new: bool) -> Volumes | Status:
    """A pod's volumes that count on a node. A missing claim is an answer only for the pod to be scheduled."""
    volumes: Volumes = {}
    for volume in pod.spec.volumes or ():
        name = claim_name(pod, volume)
        found = _of_source(volume, plugins) if name is None else _of_claim(snapshot, pod, volume, name, plugins, is_new)
        if isinstance(found, Status):
            return found
        if found is not None and all(found):
            volumes["/".join(found)] = found[0]
    return volumes


def _of_source(volume: Volume, plugins: Plugins) -> _Handle | Status:
    source = in_tree_source(volume)
    if source is None or source[0].plugin not in plugins:
        return None
    try:
        return source[0].driver, source[0].handle(source[1], {})
    except Invalid as problem:
        return error(f"converting volume({volume.name}) from inline to csi: {problem}")


def _of_claim(
    snapshot: Snapshot, pod: Pod, volume: Volume, name: str, plugins: Plugins, is_new: bool
) -> _Handle | Status:
    if not name:
        return error("PersistentVolumeClaim had no name")
    key = f"{namespace_of(pod)}/{name}"
    claim = cast(PersistentVolumeClaim | None, snapshot.kind("PersistentVolumeClaim").get(key))
    if claim is None:
        return unresolvable(f"looking up PVC {key}: {claim_not_found(name)}") if is_new else None
    if volume.persistent_volume_claim is None and (fault := ownership_fault(pod, claim)):
        return error(fault)
    bound = persistent_volume(snapshot, claim.spec.volume_name or "")
    return _of_unbound(snapshot, claim, plugins) if bound is None else _of_bound(bound, plugins)


def _of_bound(volume: PersistentVolume, plugins: Plugins) -> _Handle:
    if volume.spec.csi is not None:
        return _field(volume.spec.csi, "driver"), _field(volume.spec.csi, "volumeHandle")
    source = in_tree_source(volume)
    if source is None or source[0].plugin not in plugins:
        return None
    try:
        return source[0].driver, source[0].handle(source[1], volume.labels)
    except Invalid:
        return None


def _of_unbound(snapshot: Snapshot, claim: PersistentVolumeClaim, plugins: Plugins) -> _Handle:
    """A volume still to be made counts for the driver that its class names."""
    found = storage_class(snapshot, claim) if class_name(claim) else None
    if found is None:
        return None
    handle = f"unbound-{namespace_of(claim)}/{claim.name}"
    in_tree = BY_PLUGIN.get(found.provisioner)
    if in_tree is None:
        return found.provisioner, handle
    return (in_tree.driver, handle) if in_tree.plugin in plugins else None


def _field(source: dict[str, object], name: str) -> str:
    return str(source.get(name) or "")
