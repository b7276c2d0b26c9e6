"""The order in which a search meets nodes: round robin over zones, as kube-scheduler's node tree lists them.

Source: kube-scheduler v1.34.1 backend/cache/node_tree.go.
"""

from __future__ import annotations

from itertools import zip_longest

from scheduler.engine.objects import Node

_REGION = ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")
_ZONE = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")


def _first_label(labels: dict[str, str], keys: tuple[str, str]) -> str:
    """The legacy label wins when its key is there, even empty."""
    return labels[keys[0]] if keys[0] in labels else labels.get(keys[1], "")


def zone_key(node: Node) -> str:
    """Region and zone as one key, "" for a node with neither."""
    region, zone = _first_label(node.labels, _REGION), _first_label(node.labels, _ZONE)
    return f"{region}:\x00:{zone}" if region or zone else ""


def zone_of(node: Node) -> str:
    """The zone for people, "" for a node without one."""
    return _first_label(node.labels, _ZONE)


class NodeTree:
    """Zones in order of first appearance, each with its nodes in order of arrival."""

    def __init__(self) -> None:
        self.zones: dict[str, dict[str, None]] = {}
        self._zone_of: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._zone_of)

    def __contains__(self, name: str) -> bool:
        return name in self._zone_of

    def copy(self) -> NodeTree:
        other = NodeTree()
        other.zones = {zone: dict(names) for zone, names in self.zones.items()}
        other._zone_of = dict(self._zone_of)
        return other

    def add(self, node: Node) -> None:
        """Add a node, or move it to the end of its new zone if its zone changed."""
        zone = zone_key(node)
        if self._zone_of.get(node.name) == zone:
            return
        self.remove(node.name)
        self.zones.setdefault(zone, {})[node.name] = None
        self._zone_of[node.name] = zone

    def remove(self, name: str) -> None:
        """A zone that becomes empty loses its place in the order."""
        zone = self._zone_of.pop(name, None)
        if zone is None:
            return
        del self.zones[zone][name]
        if not self.zones[zone]:
            del self.zones[zone]

    def names(self) -> list[str]:
        """The first node of every zone, then the second of every zone that has one, …"""
        return [name for turn in zip_longest(*self.zones.values()) for name in turn if name is not None]
