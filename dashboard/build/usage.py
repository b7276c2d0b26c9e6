"""How full the nodes are: allocatable and requested of each resource, as columns over the nodes that exist now."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.simulation.simulation import Simulation
from scheduler.engine.values.requests import is_extended_resource, node_allocatable

CPU, MEMORY = "cpu", "memory"


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

    def total(self, resource: str, rows: Any = slice(None)) -> float:
        """requested/allocatable of those nodes together."""
        whole = int(self.allocatable[resource][rows].sum())
        return float(self.requested[resource][rows].sum() / whole) if whole else 0.0


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


def extra_resource(used: Usage) -> str:
    """The extended resource (a GPU, say) that most nodes offer; "" without one."""
    offers = {name: int((column > 0).sum()) for name, column in used.allocatable.items() if is_extended_resource(name)}
    return max(sorted(offers), key=lambda name: offers[name]) if any(offers.values()) else ""
