"""What could be done where a claim that waits for its pod finds no volume on a node, and none can be made there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from scheduler.engine.errors import Invalid
from scheduler.engine.fixes.change import Effort, Fix, Patch, Put
from scheduler.engine.fixes.claims import lost, of_class
from scheduler.engine.fixes.combining import together
from scheduler.engine.fixes.manifests import HOSTNAME
from scheduler.engine.fixes.near_volumes import mended, near
from scheduler.engine.fixes.storage_edits import (
    CLASS,
    claim_key,
    claim_spec,
    classes,
    fresh_volume,
    late_class,
    new_volume,
    size_of,
    size_text,
    sizes,
)
from scheduler.engine.fixes.volumes import brought
from scheduler.engine.framework import Int64Array, Nodes
from scheduler.engine.objects import Node, PersistentVolumeClaim, StorageClass
from scheduler.engine.volumes import binding
from scheduler.engine.volumes.claims import claims_of, class_name, is_bound, persistent_volume, storage_class
from scheduler.engine.volumes.matching import STORAGE, requested
from scheduler.engine.volumes.provisioning import can_provision, rooms
from scheduler.engine.volumes.zones import ZONE

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

NEAREST = 2


def store(cycle: Cycle, rows: Int64Array) -> list[Fix]:
    """For the first of these nodes; a volume that another of them reaches will do as well."""
    found = []
    for claim in _claims(cycle):
        fixes = list(_of_bound(cycle, claim) if is_bound(claim) else _of_waiting(cycle, claim, rows))
        if fixes:
            found.append(sorted(fixes, key=lambda one: (one.effort, one.size)))
    if len(found) < 2:
        return found[0] if found else []
    return [together([some[0] for some in found])]


def _claims(cycle: Cycle) -> Iterator[PersistentVolumeClaim]:
    for claim in claims_of(cycle.pod.pod, cycle.snapshot):
        if claim.found is not None:
            yield claim.found


def _of_bound(cycle: Cycle, claim: PersistentVolumeClaim) -> Iterator[Fix]:
    if persistent_volume(cycle.snapshot, claim.spec.volume_name or "") is None:
        yield from lost(cycle, claim)


def _of_waiting(cycle: Cycle, claim: PersistentVolumeClaim, rows: Int64Array) -> Iterator[Fix]:
    first = Nodes(cycle.snapshot.columns, rows[:1])
    found = storage_class(cycle.snapshot, claim)
    fault = _fault(cycle, claim, first)
    if found is None or not fault:
        return
    reached = near(cycle, claim, rows)
    for one in reached[:NEAREST]:
        yield from mended(claim, one, binds=False)
    far = [] if reached else [one for one in near(cycle, claim, None) if not one.gaps]
    for one in far[:1]:
        yield from brought(cycle, first.columns.nodes[int(rows[0])], [one.volume])
    node = first.columns.nodes[int(rows[0])]
    if fault == binding.NO_ROOM:
        yield from _less(cycle, claim, found, first)
    elif any(one.name == found.name for one in classes(cycle.snapshot)) and not can_provision(first, found)[0]:
        yield _everywhere(found, node)
    else:
        yield _added(cycle, claim, node)
    if (late := late_class(cycle.snapshot, class_name(claim))) is not None and can_provision(first, late)[0]:
        yield of_class(claim, late.name, Effort.SETTING, 2, "That class can make a volume there.")


def _fault(cycle: Cycle, claim: PersistentVolumeClaim, node: Nodes) -> int:
    try:
        return int(binding.of_waiting(cycle.snapshot, node, [claim])[0])
    except Invalid:
        return 0


def _less(cycle: Cycle, claim: PersistentVolumeClaim, found: StorageClass, node: Nodes) -> Iterator[Fix]:
    """No more than the storage that the node reaches has left."""
    largest, size = max(rooms(cycle.snapshot, node, found), default=-1), int(requested(claim))
    if largest < 1 or not size:
        return
    share = 1 - largest / size
    less, asked = sizes(largest, size)
    title = f"Ask for **{less}** in its claim `{claim.name}` instead of {asked}"
    put = Put(("spec", "resources", "requests", STORAGE), size_text(largest))
    note = "No storage that a node reaches has more left. A claim can grow, but not shrink: make it anew."
    effort = Effort.SETTING if share <= 0.5 else Effort.GIVE_UP
    yield Fix("claim-size", title, (Patch(claim_key(claim), (put,)),), effort, share, note=note)


def _everywhere(found: StorageClass, node: Node) -> Fix:
    title = f"Let the class `{found.name}` make volumes for `{node.name}` as well"
    note = "Its allowedTopologies leave that node out; they are dropped here."
    put = Put(("allowedTopologies",))
    return Fix("class-topology", title, (Patch((CLASS, "", found.name), (put,)),), Effort.NODE, 2, note=note)


def _added(cycle: Cycle, claim: PersistentVolumeClaim, node: Node) -> Fix:
    """Where the node is: in its zone, else on the node itself."""
    key = next((key for key in (ZONE, HOSTNAME) if key in node.labels), "")
    where: dict[str, Any] = {}
    if key:
        expression = {"key": key, "operator": "In", "values": [node.labels[key]]}
        where["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}
    there = f" in zone `{node.labels[ZONE]}`" if key == ZONE else f" on `{node.name}`" if key else ""
    of = f" of class `{class_name(claim)}`" if class_name(claim) else ""
    name = fresh_volume(cycle.snapshot, claim.name)
    title = f"Add a volume of **{size_of(claim)}**{of}{there} for its claim `{claim.name}`"
    return Fix("volume", title, (new_volume(name, claim_spec(claim), **where),), Effort.GROW, 0.5)
