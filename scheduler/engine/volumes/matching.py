"""Existing volumes for claims that wait for their first consumer: which nodes offer one, for all nodes at once.

Source: v1.34.1 plugins/volumebinding findMatchingVolumes, component-helpers storage/volume FindMatchingVolume.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, cast

import numpy as np

from scheduler.engine import labels
from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.framework import BoolArray, Nodes
from scheduler.engine.objects import PersistentVolume, PersistentVolumeClaim
from scheduler.engine.values import quantity
from scheduler.engine.volumes.affinity import Reach
from scheduler.engine.volumes.claims import class_name, namespace_of

STORAGE = "storage"


class _Candidates(NamedTuple):
    """`prebound`: volumes made for this very claim, which nothing else can replace; `free`: others, smallest first."""

    prebound: list[PersistentVolume]
    free: list[PersistentVolume]


def unmatched(
    snapshot: Snapshot, nodes: Nodes, claims: Sequence[PersistentVolumeClaim]
) -> Iterator[tuple[PersistentVolumeClaim, BoolArray]]:
    """(claim, nodes of the range without a volume for it), smallest request first. Raises Invalid.

    On each node a volume serves one claim only.
    """
    taken: dict[str, BoolArray] = {}
    reach = Reach(nodes)
    for claim in sorted(claims, key=requested):
        yield claim, _without(candidates(snapshot, claim), taken, reach, len(nodes))


def matched(
    snapshot: Snapshot, node: Nodes, claims: Sequence[PersistentVolumeClaim]
) -> Iterator[tuple[PersistentVolumeClaim, PersistentVolume | None]]:
    """The volume that each claim takes on one node, smallest request first. Raises Invalid."""
    taken, reach = set[str](), Reach(node)
    for claim in sorted(claims, key=requested):
        prebound, free = ([one for one in part if one.name not in taken] for part in candidates(snapshot, claim))
        volume = next((one for one in prebound[:1] or free if reach.of(one)[0]), None)
        if volume is not None:
            taken.add(volume.name)
        yield claim, volume


def _without(found: _Candidates, taken: dict[str, BoolArray], reach: Reach, count: int) -> BoolArray:
    """Nodes, of `count`, that none of these volumes serves. What is taken on the others is noted."""
    open_, lost = np.ones(count, np.bool_), np.zeros(count, np.bool_)
    for volume in found.prebound:
        asked = open_ & ~taken.get(volume.name, np.False_)
        _take(taken, volume, asked & reach.of(volume))
        lost |= asked & ~reach.of(volume)
        open_ &= ~asked
    for volume in found.free:
        if not open_.any():
            break
        matched = open_ & reach.of(volume) & ~taken.get(volume.name, np.False_)
        _take(taken, volume, matched)
        open_ &= ~matched
    return open_ | lost


def _take(taken: dict[str, BoolArray], volume: PersistentVolume, rows: BoolArray) -> None:
    taken[volume.name] = taken[volume.name] | rows if volume.name in taken else rows


def requested(claim: PersistentVolumeClaim) -> Fraction:
    requests = claim.spec.resources.requests if claim.spec.resources else None
    return quantity.parse((requests or {}).get(STORAGE))


def candidates(snapshot: Snapshot, claim: PersistentVolumeClaim) -> _Candidates:
    """Volumes that could serve a claim, if a node reaches them. Raises Invalid for a bad selector."""
    wanted, size = class_name(claim), requested(claim)
    selector = labels.label_selector(claim.spec.selector) if claim.spec.selector else labels.EVERYTHING
    prebound, free = list[PersistentVolume](), list[tuple[Fraction, PersistentVolume]]()
    for one in snapshot.kind("PersistentVolume").values():
        volume = cast(PersistentVolume, one)
        is_ours = is_reserved(volume, claim)
        if (volume.spec.claim_ref is not None and not is_ours) or class_name(volume) != wanted:
            continue
        capacity = _capacity(volume)
        if capacity < size or not _is_alike(claim, volume):
            continue
        if is_ours:
            prebound.append(volume)
        elif _is_free(claim, volume) and selector.matches(volume.labels):
            free.append((capacity, volume))
    return _Candidates(prebound, [volume for _, volume in sorted(free, key=lambda one: one[0])])


def _capacity(volume: PersistentVolume) -> Fraction:
    return quantity.parse((volume.spec.capacity or {}).get(STORAGE))


def _is_alike(claim: PersistentVolumeClaim, volume: PersistentVolume) -> bool:
    modes = [spec.volume_mode or "Filesystem" for spec in (claim.spec, volume.spec)]
    attributes = [spec.volume_attributes_class_name or "" for spec in (claim.spec, volume.spec)]
    return modes[0] == modes[1] and attributes[0] == attributes[1] and volume.metadata.deletion_timestamp is None


def is_reserved(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    """Whether a volume was bound to this claim beforehand."""
    reference = volume.spec.claim_ref
    if reference is None or (reference.namespace, reference.name) != (namespace_of(claim), claim.name):
        return False
    return not reference.uid or reference.uid == claim.uid


def _is_free(claim: PersistentVolumeClaim, volume: PersistentVolume) -> bool:
    phase = volume.status.phase if volume.status else None
    return phase == "Available" and set(claim.spec.access_modes or ()) <= set(volume.spec.access_modes or ())
