"""The cluster pane: nodes as tiles grouped by zone, how full they are, and what the open cycle says of each."""

from typing import Any

import numpy as np

from dashboard.build.node_rows import NodeRows, node_rows
from dashboard.build.tile_rows import Marks, tiles
from dashboard.build.usage import CPU, MEMORY, Usage, extra_resource, usage
from dashboard.payloads.map import ClusterView, Tile, TileGroup
from dashboard.text import cores_about, memory_about
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.values.quantity import format_bytes, format_cpu


def cluster_view(simulation: Simulation, cluster_id: int, marks: Marks) -> ClusterView:
    used = usage(simulation)
    extra = extra_resource(used)
    nodes = node_rows(cluster_id, used.infos)
    return {
        "node_count": len(used.infos),
        "pods_bound": len(simulation.cluster.pods),
        "pods_waiting": len(simulation.queue) + len(simulation.queue.in_flight),
        "cpu": used.total(CPU),
        "memory": used.total(MEMORY),
        "extra": used.total(extra) if extra else None,
        "extra_name": extra,
        "largest_free": largest_free(used, nodes),
        "groups": _groups(used, nodes, tiles(used, nodes, cluster_id, extra, marks)),
    }


def largest_free(used: Usage, nodes: NodeRows) -> dict[str, Any]:
    """The node with the most free cpu among those that take pods."""
    if not nodes.takes_pods.any():
        return {"cpu": "0", "memory": "0", "node": ""}
    free = {name: used.allocatable[name] - used.requested[name] for name in (CPU, MEMORY)}
    best = int(np.argmax(np.where(nodes.takes_pods, free[CPU], np.iinfo(np.int64).min)))
    cpu, memory = (max(0, int(free[name][best])) for name in (CPU, MEMORY))
    exact = f"{format_cpu(cpu)} cpu and {format_bytes(memory)} memory"
    return {"cpu": cores_about(cpu), "memory": memory_about(memory), "node": nodes.names[best], "exact": exact}


def _groups(used: Usage, nodes: NodeRows, made: list[Tile]) -> list[TileGroup]:
    """One group a zone."""
    return [
        {
            "name": zone,
            "count": len(rows),
            "tiles": [made[at] for at in rows.tolist()],
            "cpu": used.total(CPU, rows),
            "memory": used.total(MEMORY, rows),
        }
        for zone, rows in nodes.zones
    ]
