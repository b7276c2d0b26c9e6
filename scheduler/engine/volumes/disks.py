"""Disks written into pods themselves: two pods with one disk cannot always share a node.

Source: v1.34.1 plugins/volumerestrictions, isVolumeConflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler.engine.objects import Volume


def is_disk(volume: Volume) -> bool:
    """Whether conflicts are possible at all."""
    sources = (volume.gce_persistent_disk, volume.aws_elastic_block_store, volume.iscsi, volume.rbd)
    return any(source is not None for source in sources)


def plain(volume: Volume) -> tuple[tuple[str, str, tuple[str, ...], bool], ...]:
    """(kind, what identifies it, its servers, whether it is only read) of each disk that the volume states."""
    return tuple(_plain(volume))


def _plain(volume: Volume) -> Iterator[tuple[str, str, tuple[str, ...], bool]]:
    """Reading alone does not help with EBS."""
    if (gce := volume.gce_persistent_disk) is not None:
        yield "GCE", str(gce.get("pdName") or ""), (), bool(gce.get("readOnly"))
    if (ebs := volume.aws_elastic_block_store) is not None:
        yield "EBS", str(ebs.get("volumeID") or ""), (), False
    if (iscsi := volume.iscsi) is not None:
        yield "iSCSI", str(iscsi.get("iqn") or ""), (), bool(iscsi.get("readOnly"))
    if (rbd := volume.rbd) is not None:
        image = f"{rbd.get('pool') or 'rbd'}/{rbd.get('image') or ''}"
        yield "RBD", image, tuple(map(str, rbd.get("monitors") or ())), bool(rbd.get("readOnly"))


def conflict(a: Volume, b: Volume) -> bool:
    """Whether two volumes are one disk that not both of them only read."""
    if a.gce_persistent_disk is not None and b.gce_persistent_disk is not None:
        return _clash(a.gce_persistent_disk, b.gce_persistent_disk, "pdName")
    if a.aws_elastic_block_store is not None and b.aws_elastic_block_store is not None:
        return _same(a.aws_elastic_block_store, b.aws_elastic_block_store, "volumeID")
    if a.iscsi is not None and b.iscsi is not None:
        return _clash(a.iscsi, b.iscsi, "iqn")
    return a.rbd is not None and b.rbd is not None and _rbd_conflict(a.rbd, b.rbd)


def _rbd_conflict(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    overlap = set(a.get("monitors") or ()) & set(b.get("monitors") or ())
    pool = (a.get("pool") or "rbd") == (b.get("pool") or "rbd")
    return bool(overlap) and pool and _clash(a, b, "image")


def _clash(a: Mapping[str, Any], b: Mapping[str, Any], field: str) -> bool:
    return _same(a, b, field) and not (a.get("readOnly") and b.get("readOnly"))


def _same(a: Mapping[str, Any], b: Mapping[str, Any], field: str) -> bool:
    return (a.get(field) or "") == (b.get(field) or "")
