"""The map of nodes."""

from typing import Any, Literal, NotRequired, TypedDict


class Tile(TypedDict):
    """A node. Fractions are requested/allocatable."""

    name: str
    short: str
    cpu: float
    memory: float
    extra: float | None  # busiest extended resource, None without one
    extra_name: str
    pods: list[list[int]]  # [[look of the owner 1..24, count], …]
    pod_count: int
    state: Literal["ready", "cordoned", "not_ready"]
    taints: list[str]
    verdict: NotRequired[str]  # in the open cycle: "" feasible, else the short reason
    lead: NotRequired[bool]
    tie: NotRequired[bool]


class TileGroup(TypedDict):
    name: str  # zone; "" for nodes without one
    count: int
    cpu: float
    memory: float
    tiles: list[Tile]


class ClusterView(TypedDict):
    node_count: int
    pods_bound: int
    pods_waiting: int
    cpu: float
    memory: float
    extra: float | None
    extra_name: str
    largest_free: dict[str, Any]  # {"cpu": "116", "memory": "212Gi", "node": "node-015", "exact": words}
    groups: list[TileGroup]
