"""A node as bars: what is requested of each resource, a segment a pod, coloured by owner."""

from collections.abc import Iterable
from dataclasses import dataclass

from dashboard.build.colours import Looks, owner
from dashboard.build.nodes.wish import short
from dashboard.text import percent, quantity, readable
from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.values.requests import CPU, MEMORY, PODS, node_allocatable

SEGMENTS = 60
GAP = 0.3


@dataclass(frozen=True)
class Segment:
    """In hundredths of the bar. `look`: of the owner (see `colours`)."""

    x: float
    width: float
    look: int
    title: str

    @property
    def end(self) -> float:
        return self.x + self.width


@dataclass(frozen=True)
class Bar:
    """One resource of a node."""

    name: str
    requested: str
    allocatable: str
    free: str
    percent: str
    width: float
    over: bool
    segments: list[Segment]
    exact: str

    @property
    def short(self) -> str:
        return short(self.name)

    @property
    def meter(self) -> int:
        """0 to 100; more where more is requested than there is."""
        return 101 if self.over else round(self.width)

    @property
    def told(self) -> str:
        return f"{self.short}: {self.requested} of {self.allocatable} requested"


@dataclass(frozen=True)
class OwnerShare:
    name: str
    look: int
    pods: int
    amount: str
    percent: str


def requested(pods: Iterable[PodInfo]) -> dict[str, int]:
    total: dict[str, int] = {}
    for pod in pods:
        total[PODS] = total.get(PODS, 0) + 1
        for name, amount in pod.requested:
            total[name] = total.get(name, 0) + amount
    return total


def bars(info: NodeInfo, looks: Looks, resources: Iterable[str] | None = None) -> list[Bar]:
    """`resources`: all that the node offers or its pods ask for, if not given; only those that concern the node."""
    offered = node_allocatable(info.node) if info.node else {}
    asked = requested(info.pods)
    names = list(resources) if resources is not None else _all(offered, asked)
    return [
        _bar(info, looks, name, offered.get(name, 0), asked.get(name, 0))
        for name in names
        if name in (CPU, MEMORY, PODS) or offered.get(name) or asked.get(name)
    ]


def _all(offered: Iterable[str], asked: Iterable[str]) -> list[str]:
    return [CPU, MEMORY, *sorted({*offered, *asked} - {CPU, MEMORY, PODS}), PODS]


def _bar(info: NodeInfo, looks: Looks, name: str, allocatable: int, amount: int) -> Bar:
    width = min(100.0, 100 * amount / allocatable) if allocatable else (100.0 if amount else 0.0)
    return Bar(
        name,
        readable(name, amount),
        readable(name, allocatable),
        readable(name, allocatable - amount),
        percent(amount, allocatable),
        round(width, 2),
        amount > allocatable,
        segments(info.pods, looks, name, max(allocatable, amount)) if name != PODS else [],
        f"{quantity(name, amount)} of {quantity(name, allocatable)}",
    )


def segments(pods: Iterable[PodInfo], looks: Looks, resource: str, whole: int) -> list[Segment]:
    """Pods of one owner side by side, the largest first; what is too small to see is left out at the end."""
    pods = list(pods)
    look = looks.on_node(pods)
    parts = [(owner(pod.pod), dict(pod.requested).get(resource, 0), pod) for pod in pods]
    sums: dict[str, int] = {}
    for name, amount, _ in parts:
        sums[name] = sums.get(name, 0) + amount
    parts.sort(key=lambda part: (-sums[part[0]], part[0], -part[1], part[2].key))
    made, at = [], 0
    for name, amount, pod in parts[:SEGMENTS]:
        if amount and whole:
            width = 100 * amount / whole
            title = f"{pod.pod.key}: {quantity(resource, amount)}"
            made.append(Segment(round(100 * at / whole, 2), round(max(0.2, width - GAP), 2), look[name], title))
            at += amount
    return made


def owners(info: NodeInfo, looks: Looks, resource: str) -> list[OwnerShare]:
    """Who runs here: owners with their pods and what these request of a resource, most first."""
    allocatable = (node_allocatable(info.node) if info.node else {}).get(resource, 0)
    counts: dict[str, list[int]] = {}
    for pod in info.pods:
        found = counts.setdefault(owner(pod.pod), [0, 0])
        found[0] += 1
        found[1] += 1 if resource == PODS else dict(pod.requested).get(resource, 0)
    most = sorted(counts.items(), key=lambda one: (-one[1][1], -one[1][0], one[0]))
    look = looks.on_node(info.pods)
    return [
        OwnerShare(name, look[name], pods, quantity(resource, amount), percent(amount, allocatable) or "–")
        for name, (pods, amount) in most
    ]
