"""Disks written into pods themselves: two pods with one disk cannot always share a node.

Source: v1.34.1 plugins/volumerestrictions, isVolumeConflict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler.engine.objects import Volume


def is_disk(volume: Volume) -> bool:
    """Whether conflicts are possible at all."""
    sources = (volume.gce_persistent_disk, volume.aws_elastic_block_store, volume.iscsi, volume.rbd)
    return any(source is not None for source in sources)


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
