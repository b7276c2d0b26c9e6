"""The node that was chosen on the page of the nodes, at the side: its resources, who runs there, labels, taints."""

from typing import Any

from dashboard.build.nodes.bars import bars, owners, segments
from dashboard.build.nodes.capacity import Room
from dashboard.build.nodes.fleet import Fleet
from dashboard.build.nodes.wish import Wish, short
from dashboard.build.usage import CPU
from scheduler.engine.values.requests import PODS, node_allocatable

OWNERS = 6


def drawer(all_nodes: Fleet, asked: Wish, room: Room | None) -> dict[str, Any] | None:
    """None where no node is chosen, or it is not there."""
    if asked.node not in all_nodes.names:
        return None
    row = all_nodes.names.index(asked.node)
    info, node = all_nodes.used.infos[row], all_nodes.rows.objects[row]
    resource = CPU if asked.shade == PODS else asked.shade
    whole = (node_allocatable(info.node) if info.node else {}).get(resource, 0)
    looks = all_nodes.rows.looks
    here = owners(info, looks, resource)
    asked_for = sum(dict(pod.requested).get(resource, 0) for pod in info.pods)
    return {
        "name": asked.node,
        "state": all_nodes.rows.facts[row].state,
        "bars": bars(info, looks),
        "pods": len(info.pods),
        "resource": short(resource),
        "owners": here[:OWNERS],
        "owners_told": ", ".join(f"{one.name} {one.percent}" for one in here[:OWNERS]),
        "more_owners": max(0, len(here) - OWNERS),
        "segments": segments(info.pods, looks, resource, max(whole, asked_for)),
        "labels": sorted((node.labels if node else {}).items()),
        "taints": all_nodes.rows.facts[row].taints,
        "copies": int(room.copies[row]) if room else None,
        "fit": asked.fit,
    }
