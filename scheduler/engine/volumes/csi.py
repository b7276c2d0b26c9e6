"""In-tree volumes and the CSI drivers that serve them today.

Source: v1.34.1, csi-translation-lib and plugins/nodevolumelimits/utils.go; faults are told in their words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote

from scheduler.engine.errors import Invalid
from scheduler.engine.objects import CSINode, PersistentVolume, Volume
from scheduler.engine.volumes.zones import DELIMITER, OLD_ZONE, ZONE

MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins"
_Source: TypeAlias = Mapping[str, Any]
_Labels: TypeAlias = Mapping[str, str]
_EBS_ID = re.compile(r"vol-[^/]*")
_AFTER_PATH = re.compile(r"[?#]")
_GCE_DISK = "projects/UNSPECIFIED/{place}/disks/{name}"


class InTree(NamedTuple):
    """`handle`: the CSI volume handle of a source, given the labels of its PersistentVolume; raises Invalid.

    `zone_key`: the node label by which the driver tells zones, "" if it does not translate them.
    """

    plugin: str
    driver: str
    zone_key: str
    handle: Callable[[_Source, _Labels], str]


def _ebs_handle(source: _Source, labels: _Labels) -> str:
    """`vol-1234`, also where it was written `aws://zone/vol-1234`."""
    name = str(source.get("volumeID") or "")
    if not name.startswith("aws://"):
        return name
    found = unquote(_AFTER_PATH.split(name)[0].removeprefix("aws://").partition("/")[2]).strip("/")
    if not _EBS_ID.fullmatch(found):
        raise Invalid(f"failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume ({name})")
    return found


def _gce_handle(source: _Source, labels: _Labels) -> str:
    zones = (labels.get(OLD_ZONE) or labels.get(ZONE) or "").split(DELIMITER)
    place = f"regions/{_gce_region(zones)}" if len(zones) > 1 else f"zones/{zones[0] or 'UNSPECIFIED'}"
    return _GCE_DISK.format(place=place, name=source.get("pdName") or "")


def _gce_region(zones: list[str]) -> str:
    parts = {zone: zone.split("-") for zone in zones}
    odd = [zone for zone, part in parts.items() if len(part) != 3]
    if odd:
        expected = "zone in unexpected format, expected: {locale}-{region}-{zone}"
        raise Invalid(f"failed to get region from zones: {expected}, got: {odd[0]}")
    regions = sorted({"-".join(part[:2]) for part in parts.values()})
    if len(regions) > 1:
        listed = " ".join(f"{region}:{{}}" for region in regions)
        raise Invalid(f"failed to get region from zones: multiple or no regions gotten from zones, got: map[{listed}]")
    return regions[0]


def _azure_handle(source: _Source, labels: _Labels) -> str:
    kind = source.get("kind")
    if kind is not None and str(kind).lower() != "managed":
        raise Invalid(f"kind({kind}) is not supported in csi migration")
    return str(source.get("diskURI") or "")


def _field(name: str) -> Callable[[_Source, _Labels], str]:
    return lambda source, labels: str(source.get(name) or "")


IN_TREE: dict[str, InTree] = {
    "aws_elastic_block_store": InTree(
        "kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone", _ebs_handle
    ),
    "gce_persistent_disk": InTree("kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone", _gce_handle),
    "azure_disk": InTree("kubernetes.io/azure-disk", "disk.csi.azure.com", "", _azure_handle),
    "azure_file": InTree("kubernetes.io/azure-file", "file.csi.azure.com", "", _field("shareName")),
    "cinder": InTree(
        "kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone", _field("volumeID")
    ),
    "vsphere_volume": InTree("kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", "", _field("volumePath")),
    "portworx_volume": InTree("kubernetes.io/portworx-volume", "pxd.portworx.com", "", _field("volumeID")),
}
"""By the field of a volume that holds the source."""

BY_PLUGIN = {one.plugin: one for one in IN_TREE.values()}
_ALWAYS = ("aws_elastic_block_store", "gce_persistent_disk", "azure_disk", "cinder")
_PORTWORX = IN_TREE["portworx_volume"].plugin
_COUNTED = frozenset(IN_TREE[source].plugin for source in _ALWAYS)
COUNTED = (frozenset[str](), _COUNTED, _COUNTED | {_PORTWORX})
"""In-tree plugins whose volumes count for the limit of a driver: without a CSINode, with one, with Portworx on it."""


def in_tree_source(volume: Volume | PersistentVolume) -> tuple[InTree, _Source] | None:
    """The in-tree source of a pod's or persistent volume, if it has one that a driver serves."""
    holder: object = volume.spec if isinstance(volume, PersistentVolume) else volume
    for field, kind in IN_TREE.items():
        source: _Source | None = getattr(holder, field)
        if source is not None:
            return kind, source
    return None


def untranslatable(volume: PersistentVolume) -> str:
    """Why the volume cannot be served by a driver, "" if it can."""
    if (source := in_tree_source(volume)) is not None:
        try:
            source[0].handle(source[1], volume.labels)
        except Invalid as problem:
            return str(problem)
    return ""


def migrated_plugins(node: CSINode | None) -> frozenset[str]:
    """In-tree plugins that the node's CSINode says are served by drivers there."""
    listed = node.annotations.get(MIGRATED_PLUGINS, "") if node is not None else ""
    return frozenset(listed.split(",")) if listed else frozenset()


def counted_plugins(node: CSINode | None) -> frozenset[str]:
    """One of `COUNTED`."""
    if node is None:
        return COUNTED[0]
    return COUNTED[2] if _PORTWORX in migrated_plugins(node) else COUNTED[1]
