"""What could be done where a pod's volumes are out of reach: a node where they are, or the volume where nodes are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.fixes.change import Clone, Edit, Effort, Fix, Patch, Path, Put
from scheduler.engine.fixes.manifests import HOSTNAME
from scheduler.engine.fixes.names import fresh_node
from scheduler.engine.framework import Int64Array
from scheduler.engine.objects import Node, PersistentVolume
from scheduler.engine.volumes.claims import claims_of, persistent_volume
from scheduler.engine.volumes.zones import OLD_REGION, OLD_ZONE, REGION, RENAMED, ZONE, topology, zones
from scheduler.engine.words import listed

if TYPE_CHECKING:
    from scheduler.engine.cycle.attempt import Cycle

BOTH = ("VolumeBinding", "VolumeZone")
_PLACES = (OLD_ZONE, OLD_REGION, ZONE, REGION)


def bring_together(cycle: Cycle, rows: Int64Array) -> list[Fix]:
    """For volumes that none of these nodes reaches, as far as zones and regions are to blame."""
    volumes = list(_volumes(cycle))
    node = cycle.snapshot.columns.nodes[int(rows[0])]
    away = [one for one in volumes if any(node.labels.get(key) not in values for key, values in _places(one).items())]
    return list(brought(cycle, node, away)) if away else []


def brought(cycle: Cycle, node: Node, away: list[PersistentVolume]) -> Iterator[Fix]:
    """These volumes and a node like this one in one place."""
    if not _has_nodes(cycle, away):
        yield from _node_there(cycle, node, away)
    yield from _volumes_here(node, away)


def _has_nodes(cycle: Cycle, away: list[PersistentVolume]) -> bool:
    """Whether nodes stand where all of these volumes are: one more of theirs would do."""
    columns, found = cycle.snapshot.columns, np.ones(len(cycle.snapshot), np.bool_)
    for key, values in (place for volume in away for place in _places(volume).items()):
        numbers, known = columns.label(key)
        found &= np.isin(numbers, [known.find(value) for value in values])
    return bool(found.any())


def _volumes(cycle: Cycle) -> Iterator[PersistentVolume]:
    for claim in claims_of(cycle.pod.pod, cycle.snapshot):
        name = claim.found.spec.volume_name if claim.found is not None else None
        if name and (found := persistent_volume(cycle.snapshot, name)) is not None:
            yield found


def _places(volume: PersistentVolume) -> dict[str, frozenset[str]]:
    """By label, the zones, regions and nodes that its labels and its node affinity leave to it."""
    found = {RENAMED.get(label, label): values for label, values in topology(volume)}
    required = volume.spec.node_affinity.required if volume.spec.node_affinity else None
    terms = (required.node_selector_terms if required else None) or []
    for one in (terms[0].match_expressions or []) if terms else []:
        if one.operator == "In":
            found[RENAMED.get(one.key, one.key)] = frozenset(one.values or ())
    return found


def _node_there(cycle: Cycle, node: Node, away: list[PersistentVolume]) -> Iterator[Fix]:
    places = dict[str, str]()
    for volume in away:
        for key, values in _places(volume).items():
            if values and places.get(key, "") not in values:
                places[key] = min(values)
    puts = [Put(("metadata", "labels", key), value) for key, value in places.items()]
    puts += [
        Put(("metadata", "labels", old), places[new])
        for old, new in RENAMED.items()
        if old in node.labels and new in places
    ]
    where = listed([f"`{value}`" for value in dict.fromkeys(places.values())])
    verb = "its volume is" if len(away) == 1 else "its volumes are"
    host = places.get(HOSTNAME, "")
    name = host if host and host not in cycle.snapshot.row_of else fresh_node(cycle, node.name)
    clone = Clone(("Node", "", node.name), name, tuple(puts))
    title = f"Add one node like `{node.name}` in {where}, where {verb}"
    if host:
        title = f"Add the node `{name}` again, like `{node.name}`: {verb} there"
    yield Fix("add-node", title, (clone,), Effort.GROW, settles=BOTH)


def _volumes_here(node: Node, away: list[PersistentVolume]) -> Iterator[Fix]:
    zone, is_local = node.labels.get(ZONE) or node.labels.get(OLD_ZONE), any(HOSTNAME in _places(one) for one in away)
    if not zone and not is_local:
        return
    edits: list[Edit] = [Patch(("PersistentVolume", "", one.name), tuple(_moved(one, node))) for one in away]
    names = listed([f"`{one.name}`" for one in away])
    where = f"on `{node.name}`" if is_local else f"in zone `{zone}`"
    title = f"Restore {'its volume ' if len(away) == 1 else ''}{names} {where}"
    stays = "on its node" if is_local else "in its zone"
    note = f"A disk stays {stays}: take a snapshot and restore it there."
    yield Fix("restore-volume", title, tuple(edits), Effort.GIVE_UP, len(away), settles=BOTH, note=note)


def _moved(volume: PersistentVolume, node: Node) -> Iterator[Put]:
    """Labels and node affinity as they would be of a volume in the node's zone."""
    for label in _PLACES:
        value = node.labels.get(label) or node.labels.get(RENAMED.get(label, label))
        if value and zones(volume, label) is not None:
            yield Put(("metadata", "labels", label), value)
    required = volume.spec.node_affinity.required if volume.spec.node_affinity else None
    for at, term in enumerate((required.node_selector_terms if required else None) or ()):
        for number, one in enumerate(term.match_expressions or ()):
            value = node.labels.get(one.key) or node.labels.get(RENAMED.get(one.key, one.key))
            path: Path = ("spec", "nodeAffinity", "required", "nodeSelectorTerms", at, "matchExpressions", number)
            if one.operator == "In" and value:
                yield Put((*path, "values"), [value])
