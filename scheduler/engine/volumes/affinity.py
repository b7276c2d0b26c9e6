"""Which nodes can reach a persistent volume: its node affinity over label columns, with the labels of migrated drivers.

Source: v1.34.1, component-helpers storage/volume CheckNodeAffinity; csi-translation-lib, in_tree_volume.go.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import msgspec
import numpy as np

from scheduler.engine import labels
from scheduler.engine.cluster.selection import selector_matches
from scheduler.engine.framework import BoolArray, Nodes
from scheduler.engine.objects import LabelSelectorRequirement, NodeSelector, NodeSelectorTerm, PersistentVolume
from scheduler.engine.volumes.zones import DELIMITER, OLD_REGION, OLD_ZONE, REGION, ZONE

_encode = msgspec.json.Encoder().encode


class Reach:
    """Which nodes of a range each volume's node affinity allows; asked once for volumes that state the same."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self._known: dict[bytes, BoolArray] = {}

    def of(self, volume: PersistentVolume) -> BoolArray:
        return self._of(_required(volume))

    def of_migrated(self, volume: PersistentVolume, zone_key: str) -> BoolArray:
        """Where a CSI driver serves an in-tree volume, its zones are those that the driver's label tells."""
        return self._of(_translated(volume, zone_key))

    def _of(self, required: NodeSelector | None) -> BoolArray:
        key = _encode(required)
        known = self._known.get(key)
        if known is None:
            known = np.ones(len(self.nodes), np.bool_) if required is None else selector_matches(self.nodes, _read(key))
            self._known[key] = known
        return known


def stated(volume: PersistentVolume, zone_key: str = "") -> labels.NodeSelector | None:
    """What a volume asks of a node, None if nothing. `zone_key`: of the driver that has taken it over there."""
    required = _translated(volume, zone_key) if zone_key else _required(volume)
    return None if required is None else _read(_encode(required))


@lru_cache(maxsize=16384)
def _read(key: bytes) -> labels.NodeSelector:
    """Only labels are looked at: the original does not tell the node's name to this selector."""
    selector = labels.node_selector(msgspec.json.decode(key, type=NodeSelector))
    return labels.NodeSelector(tuple(replace(term, fields=()) for term in selector.terms))


def _required(volume: PersistentVolume) -> NodeSelector | None:
    return volume.spec.node_affinity.required if volume.spec.node_affinity else None


def _translated(volume: PersistentVolume, zone_key: str) -> NodeSelector | None:
    """The volume's node affinity with `zone_key` for the zone; made from the zone label where it states none."""
    required = _required(volume)
    terms = list(required.node_selector_terms or ()) if required else []
    zone, region = _labels_in_use(volume, terms)
    if _values(terms, zone):
        terms = [_renamed(term, zone, zone_key) for term in terms]
    elif zones := sorted({one.strip() for one in volume.labels.get(zone, "").split(DELIMITER)} - {""}):
        added = LabelSelectorRequirement(key=zone_key, operator="In", values=zones)
        terms = [_adding(term, added) for term in terms or [NodeSelectorTerm()]]
    if region == OLD_REGION and _values(terms, region):
        terms = [_renamed(term, region, REGION) for term in terms]
    return NodeSelector(node_selector_terms=terms) if terms or required else None


def _labels_in_use(volume: PersistentVolume, terms: list[NodeSelectorTerm]) -> tuple[str, str]:
    """The zone and region labels that the volume goes by: of its affinity, else of itself; the old ones come second."""
    keys = {one.key for term in terms for one in term.match_expressions or ()}
    for known in (keys, volume.labels):
        if ZONE in known:
            return ZONE, REGION
        if OLD_ZONE in known:
            return OLD_ZONE, OLD_REGION
    return ZONE, REGION


def _values(terms: list[NodeSelectorTerm], key: str) -> set[str]:
    return {
        value for term in terms for one in term.match_expressions or () if one.key == key for value in one.values or ()
    }


def _renamed(term: NodeSelectorTerm, old: str, new: str) -> NodeSelectorTerm:
    expressions = [
        msgspec.structs.replace(one, key=new) if one.key == old else one for one in term.match_expressions or ()
    ]
    return msgspec.structs.replace(term, match_expressions=expressions)


def _adding(term: NodeSelectorTerm, one: LabelSelectorRequirement) -> NodeSelectorTerm:
    return msgspec.structs.replace(term, match_expressions=[*(term.match_expressions or ()), one])
