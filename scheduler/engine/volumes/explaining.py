"""What is wrong with a pod's claims on one node, step by step: the questions of `volumes.binding`, in its order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scheduler.engine.cluster.snapshot import Snapshot
from scheduler.engine.explain.checks import combined, selector
from scheduler.engine.framework import Nodes, Step
from scheduler.engine.objects import PersistentVolume, PersistentVolumeClaim, StorageClass
from scheduler.engine.volumes.affinity import Reach, stated
from scheduler.engine.volumes.binding import serving
from scheduler.engine.volumes.claims import SELECTED_NODE, persistent_volume, storage_class
from scheduler.engine.volumes.matching import candidates, requested
from scheduler.engine.volumes.provisioning import NO_PROVISIONER, rooms, size_to_find, topologies

UNREACHED_TOLD = 8
"""Volumes out of reach that are listed: they only show what there is."""


class Explained:
    """`steps`, and which of them refuse the node with which word, in order."""

    def __init__(self, snapshot: Snapshot, row: int) -> None:
        self.snapshot, self.node = snapshot, snapshot.columns.nodes[row]
        self.here = Nodes(snapshot.columns, np.array([row], np.int64))
        self.steps: list[Step] = []
        self.refusals: list[tuple[str, str]] = []

    def add(self, *steps: Step) -> Step:
        self.steps += steps
        return steps[-1]

    def refuse(self, step: Step, word: str) -> None:
        self.refusals.append((step.name, word))


def of_bound(found: Explained, claims: Sequence[PersistentVolumeClaim], unreachable: str, gone: str) -> Explained:
    """Each bound claim's volume must be there and be reached from the node."""
    for number, claim in enumerate(claims, 1):
        name, volume_name = f"bound claim {number}", claim.spec.volume_name or ""
        volume = persistent_volume(found.snapshot, volume_name)
        if volume is None:
            found.refuse(found.add(Step(f"{name} volume", "exists", ((None,),), False, volume_name)), gone)
        else:
            found.refuse(found.add(*_reach(found, name, claim, volume)), unreachable)
    return found


def _reach(found: Explained, name: str, claim: PersistentVolumeClaim, volume: PersistentVolume) -> list[Step]:
    served = serving(found.snapshot, found.node.name, volume)
    asked = stated(volume, served.zone_key if served is not None else "")
    if asked is None:
        return [Step(name, "value", (True,), True, f"{claim.name}: {volume.name} can be used anywhere")]
    return selector(name, asked, found.node.labels, found.node.name, f"{claim.name}: {volume.name}")


def of_waiting(found: Explained, claims: Sequence[PersistentVolumeClaim], no_volume: str, no_room: str) -> Explained:
    """Claims with a selected node, then the others, smallest first. Raises Invalid."""
    selected = [claim for claim in claims if SELECTED_NODE in claim.annotations]
    for number, claim in enumerate(selected, 1):
        inputs = (found.node.name, claim.annotations[SELECTED_NODE])
        note = f"{claim.name}: selected for its new volume"
        step = found.add(Step(f"selected node {number}", "equal", (inputs,), inputs[0] == inputs[1], note))
        found.refuse(step, no_volume)
    for number, claim in enumerate(selected, 1):
        _provision(found, f"selected {number} new", claim, no_volume, no_room)
    others, taken, reach = [claim for claim in claims if claim not in selected], set[str](), Reach(found.here)
    for number, claim in enumerate(sorted(others, key=requested), 1):
        step = found.add(_volume_for(found, f"claim {number}", claim, taken, reach))
        taken.add(step.result)
        if step.result is None:
            _provision(found, f"claim {number} new", claim, no_volume, no_room)
    return found


def _volume_for(found: Explained, name: str, claim: PersistentVolumeClaim, taken: set[str], reach: Reach) -> Step:
    prebound, free = (
        [(one.name, bool(reach.of(one)[0]), one.name not in taken) for one in part]
        for part in candidates(found.snapshot, claim)
    )
    listed = [one for one in free if one[1]] or free[:UNREACHED_TOLD]
    own = next((one for one in prebound if one[2]), None)
    usable = (own,) if own is not None else (one for one in free if one[1] and one[2])
    chosen = next((one[0] for one in usable if one[1]), None)
    return Step(name, "volume_for", (tuple(prebound), tuple(listed)), chosen, f"{claim.name}: an existing volume")


def _provision(found: Explained, name: str, claim: PersistentVolumeClaim, no_volume: str, no_room: str) -> None:
    """Whether the claim's class can make a volume for the node, and has room for it."""
    made_by = storage_class(found.snapshot, claim)
    if made_by is None:
        return
    found.refuse(found.add(*_can_make(found, name, made_by)), no_volume)
    found.refuse(found.add(_has_room(found, f"{name} room", claim, made_by)), no_room)


def _can_make(found: Explained, name: str, made_by: StorageClass) -> list[Step]:
    by, allowed = made_by.provisioner, topologies(made_by)
    provisioner = Step(f"{name} provisioner", "provisions", ((by,),), by not in ("", NO_PROVISIONER))
    if allowed is None:
        return [provisioner]
    topology = selector(f"{name} topology", allowed, found.node.labels, found.node.name)
    return [provisioner, *topology, combined(f"{name} volume", "all", (provisioner, topology[-1]))]


def _has_room(found: Explained, name: str, claim: PersistentVolumeClaim, made_by: StorageClass) -> Step:
    size = size_to_find(found.snapshot, claim, made_by)
    if size is None:
        return Step(name, "value", (True,), True, "its driver does not tell how much room there is")
    largest = rooms(found.snapshot, found.here, made_by)
    return Step(name, "room_for", (size, largest), any(one >= size for one in largest), "bytes, of each storage")
