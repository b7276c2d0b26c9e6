"""The cluster pane: nodes as tiles grouped by zone, how full they are, and what the open cycle says of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboard.build.colours import squares
from dashboard.payloads import ClusterView, Tile, TileGroup
from dashboard.text import memory_about
from scheduler.engine.node_info import NodeInfo
from scheduler.engine.node_tree import zone_of
from scheduler.engine.quantity import format_cpu
from scheduler.engine.requests import is_extended_resource, node_allocatable
from scheduler.engine.simulation import Simulation

CPU, MEMORY = "cpu", "memory"


@dataclass(frozen=True, slots=True)
class Marks:
    """What the cycle on screen adds to tiles, by node name. `reasons`: "" for a node that passed."""

    reasons: Mapping[str, str] = field(default_factory=dict)
    lead: str = ""
    ties: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Usage:
    """Allocatable and requested of each node, int64 of shape (nodes,), by resource."""

    infos: list[NodeInfo]
    allocatable: dict[str, NDArray[np.int64]]
    requested: dict[str, NDArray[np.int64]]

    def share(self, resource: str) -> NDArray[np.float64]:
        """requested/allocatable; 0 where the node offers none."""
        whole = self.allocatable[resource]
        return np.divide(self.requested[resource], whole, out=np.zeros(len(whole)), where=whole > 0)

    def total(self, resource: str) -> float:
        whole = int(self.allocatable[resource].sum())
        return float(self.requested[resource].sum() / whole) if whole else 0.0


def usage(simulation: Simulation) -> Usage:
    """Of the nodes that exist now, in the order of the node tree; nothing of the state is changed."""
    infos = list(simulation.cluster)
    columns = simulation.cluster.columns
    rows = np.array([columns.row_of.get(info.name, -1) for info in infos], np.int64)
    fresh = np.flatnonzero(rows < 0)  # came after the last snapshot: no row of the columns yet
    allocatable, requested = {}, {}
    for name in columns.resources():
        allocatable[name] = _taken(columns[("allocatable", name)], rows)
        requested[name] = _taken(columns[("requested", name)], rows)
    for at in fresh.tolist():
        _count(infos[at], at, len(infos), allocatable, requested)
    return Usage(infos, allocatable, requested)


def _taken(column: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    return column[rows].copy() if len(column) else np.zeros(len(rows), np.int64)


def _count(info: NodeInfo, at: int, size: int, allocatable: dict[str, Any], requested: dict[str, Any]) -> None:
    offered = node_allocatable(info.node) if info.node else {}
    for name in {*allocatable, *(offered.keys() - {"pods"})}:
        allocatable.setdefault(name, np.zeros(size, np.int64))[at] = offered.get(name, 0)
        requested.setdefault(name, np.zeros(size, np.int64))[at] = 0
    for pod in info.pods:
        for name, amount in pod.requested:
            if name in requested:
                requested[name][at] += amount


def cluster_view(simulation: Simulation, cluster_id: int, marks: Marks) -> ClusterView:
    used = usage(simulation)
    extra = extra_resource(used)
    tiles = _tiles(used, cluster_id, extra, marks)
    return {
        "node_count": len(used.infos),
        "pods_bound": len(simulation.cluster.pods),
        "pods_waiting": len(simulation.queue) + len(simulation.queue.in_flight),
        "cpu": used.total(CPU),
        "memory": used.total(MEMORY),
        "extra": used.total(extra) if extra else None,
        "extra_name": extra,
        "largest_free": largest_free(used),
        "groups": _groups(used, tiles),
    }


def extra_resource(used: Usage) -> str:
    """The extended resource (a GPU, say) that most nodes offer; "" without one."""
    offers = {name: int((column > 0).sum()) for name, column in used.allocatable.items() if is_extended_resource(name)}
    return max(sorted(offers), key=lambda name: offers[name]) if any(offers.values()) else ""


def largest_free(used: Usage) -> dict[str, Any]:
    """The node with the most free cpu among those that take pods."""
    open_nodes = np.array([_state(info) == "ready" for info in used.infos], bool)
    if not open_nodes.any():
        return {"cpu": "0", "memory": "0", "node": ""}
    free = {name: used.allocatable[name] - used.requested[name] for name in (CPU, MEMORY)}
    best = int(np.argmax(np.where(open_nodes, free[CPU], np.iinfo(np.int64).min)))
    cpu, memory = (max(0, int(free[name][best])) for name in (CPU, MEMORY))
    return {"cpu": format_cpu(cpu), "memory": memory_about(memory), "node": used.infos[best].name}


def _tiles(used: Usage, cluster_id: int, extra: str, marks: Marks) -> list[Tile]:
    cpu, memory = (np.round(used.share(name), 4).tolist() for name in (CPU, MEMORY))
    has_extra = (used.allocatable[extra] > 0).tolist() if extra else []
    extras = np.round(used.share(extra), 4).tolist() if extra else []
    prefix = common_prefix([info.name for info in used.infos])
    tiles: list[Tile] = []
    for at, info in enumerate(used.infos):
        tile: Tile = {
            "name": info.name,
            "short": info.name[prefix:],
            "cpu": cpu[at],
            "memory": memory[at],
            "extra": extras[at] if extra and has_extra[at] else None,
            "extra_name": extra if extra and has_extra[at] else "",
            "pods": squares(cluster_id, info.name, info.pods),
            "pod_count": len(info.pods),
            "state": _state(info),
            "taints": [f"{t.key}{'=' + t.value if t.value else ''}:{t.effect}" for t in _taints(info)],
        }
        _mark(tile, marks)
        tiles.append(tile)
    return tiles


def _mark(tile: Tile, marks: Marks) -> None:
    name = tile["name"]
    if name in marks.reasons:
        tile["verdict"] = marks.reasons[name]
    if name == marks.lead:
        tile["lead"] = True
    elif name in marks.ties:
        tile["tie"] = True


def _taints(info: NodeInfo) -> Any:
    return info.node.taints if info.node else ()


def _state(info: NodeInfo) -> Any:
    node = info.node
    if node is None or node.spec.unschedulable:
        return "cordoned"
    conditions = (node.status.conditions if node.status else None) or ()
    return "ready" if all(one.status == "True" for one in conditions if one.type == "Ready") else "not_ready"


def common_prefix(names: list[str]) -> int:
    """Length of the part that all names share, up to a separator: `node-007` and `node-012` are `007` and `012`."""
    if len(names) < 2:
        return 0
    low, high = min(names), max(names)
    same = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return max(low.rfind(separator, 0, same) for separator in "-._") + 1


def _groups(used: Usage, tiles: list[Tile]) -> list[TileGroup]:
    """One group a zone, in the order of their names; nodes without a zone come last."""
    zones = [zone_of(info.node) if info.node else "" for info in used.infos]
    groups: list[TileGroup] = []
    for zone in sorted(set(zones), key=lambda name: (not name, name)):
        rows = np.array([at for at, name in enumerate(zones) if name == zone], np.int64)
        part = Usage([], _rows(used.allocatable, rows), _rows(used.requested, rows))
        members = sorted((tiles[at] for at in rows.tolist()), key=lambda tile: tile["name"])
        shares = {"cpu": part.total(CPU), "memory": part.total(MEMORY)}
        groups.append({"name": zone, "count": len(members), "tiles": members, **shares})  # type: ignore[typeddict-item]
    return groups


def _rows(columns: dict[str, NDArray[np.int64]], rows: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    return {name: column[rows] for name, column in columns.items()}
