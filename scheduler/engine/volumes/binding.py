"""What is wrong with a pod's claims on each node: 0 where nothing is, else one of the reasons, as int16 per node.

Source: v1.34.1 plugins/volumebinding, FindPodVolumes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.framework import BoolArray, Nodes
from scheduler.engine.objects import CSINode, PersistentVolume, PersistentVolumeClaim
from scheduler.engine.volumes.affinity import Reach
from scheduler.engine.volumes.claims import SELECTED_NODE, persistent_volume, storage_class
from scheduler.engine.volumes.csi import InTree, counted_plugins, in_tree_source, migrated_plugins, untranslatable
from scheduler.engine.volumes.matching import matched, unmatched
from scheduler.engine.volumes.provisioning import can_provision, has_room

Faults: TypeAlias = NDArray[np.int16]

UNREACHABLE, GONE, UNTRANSLATABLE = 1, 2, 3
NO_VOLUME, NO_ROOM = 1, 2


def of_bound(snapshot: Snapshot, nodes: Nodes, claims: Sequence[PersistentVolumeClaim]) -> tuple[Faults, list[str]]:
    """`UNREACHABLE` or `GONE`: the first claim whose volume will not do decides.

    From `UNTRANSLATABLE` on they count the texts, which fail the attempt: an in-tree volume that no driver can serve.
    """
    faults, texts, reach = np.zeros(len(nodes), np.int16), list[str](), Reach(nodes)
    for claim in claims:
        volume = persistent_volume(snapshot, claim.spec.volume_name or "")
        if volume is None:
            faults[faults == 0] = GONE
            continue
        migrated = _is_migrated(snapshot, nodes, volume)
        if migrated.any() and (problem := untranslatable(volume)):
            faults[(faults == 0) & migrated] = UNTRANSLATABLE + len(texts)
            texts.append(f"could not translate pv: {problem}")
        faults[(faults == 0) & ~_is_reached(reach, volume, migrated)] = UNREACHABLE
    return faults, texts


def _is_migrated(snapshot: Snapshot, nodes: Nodes, volume: PersistentVolume) -> BoolArray:
    """Nodes on which a CSI driver has taken over an in-tree volume."""
    migrated = np.zeros(len(snapshot), np.bool_)
    if in_tree_source(volume) is not None:
        for name in snapshot.kind("CSINode"):
            if name in snapshot.row_of and serving(snapshot, name, volume) is not None:
                migrated[snapshot.row_of[name]] = True
    return nodes.take(migrated)


def _is_reached(reach: Reach, volume: PersistentVolume, migrated: BoolArray) -> BoolArray:
    """Where a driver has taken over an in-tree volume, nodes go by the driver's label of the zone."""
    source = in_tree_source(volume)
    if source is None or not source[0].zone_key or not migrated.any():
        return reach.of(volume)
    return np.where(migrated, reach.of_migrated(volume, source[0].zone_key), reach.of(volume))


def serving(snapshot: Snapshot, node: str, volume: PersistentVolume) -> InTree | None:
    """The in-tree plugin of a volume that a CSI driver has taken over on a node."""
    source, found = in_tree_source(volume), cast(CSINode | None, snapshot.kind("CSINode").get(node))
    if source is None or found is None or source[0].plugin not in migrated_plugins(found) & counted_plugins(found):
        return None
    return source[0]


def of_waiting(snapshot: Snapshot, nodes: Nodes, claims: Sequence[PersistentVolumeClaim]) -> Faults:
    """`NO_VOLUME` or `NO_ROOM`. A claim with a selected node is to be provisioned there. Raises Invalid."""
    faults = np.zeros(len(nodes), np.int16)
    selected = [claim for claim in claims if SELECTED_NODE in claim.annotations]
    for claim in selected:
        faults[nodes.rows != snapshot.row_of.get(claim.annotations[SELECTED_NODE], -1)] = NO_VOLUME
    for claim in selected:
        _provision(snapshot, nodes, claim, np.ones(len(nodes), np.bool_), faults)
    for claim, missing in unmatched(snapshot, nodes, [claim for claim in claims if claim not in selected]):
        _provision(snapshot, nodes, claim, missing, faults)
    return faults


def chosen(
    snapshot: Snapshot, node: Nodes, claims: Sequence[PersistentVolumeClaim]
) -> list[tuple[PersistentVolumeClaim, PersistentVolume | None]]:
    """Each claim's volume on one node that nothing is wrong with; None is one to be provisioned. Raises Invalid."""
    selected = [claim for claim in claims if SELECTED_NODE in claim.annotations]
    others = matched(snapshot, node, [claim for claim in claims if claim not in selected])
    return [*others, *((claim, None) for claim in selected)]


def _provision(
    snapshot: Snapshot, nodes: Nodes, claim: PersistentVolumeClaim, wanted: BoolArray, faults: Faults
) -> None:
    """Where a claim `wanted` a new volume and nothing was wrong yet, note what is wrong with making one."""
    found, asked = storage_class(snapshot, claim), wanted & (faults == 0)
    if found is None or not asked.any():
        return
    can = can_provision(nodes, found)
    faults[asked & ~can] = NO_VOLUME
    faults[asked & can & ~has_room(snapshot, nodes, claim, found)] = NO_ROOM
