"""Where the demo's running pods run: the emptiest node that takes them, with a little noise, never beyond its size."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from scheduler.manifests.demo.chance import draw
from scheduler.manifests.demo.pools import DemoNode
from scheduler.manifests.demo.workloads import Workload

FRESH = ("spot-a-04", "spot-b-08", "spot-c-12")  # just added: alike in everything, for the tie


@dataclass
class Room:
    """What is left of a node."""

    node: DemoNode
    milli_cpu: int
    mebibytes: int
    gpus: int
    ports: set[int] = field(default_factory=set)
    images: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, node: DemoNode) -> "Room":
        return cls(node, node.pool.milli_cpu, node.pool.mebibytes, node.pool.gpus)

    def takes(self, work: Workload) -> bool:
        wanted = {host for _, host in work.ports}
        return (
            self.node.pool.name in work.pools
            and self.milli_cpu >= work.milli_cpu
            and self.mebibytes >= work.mebibytes
            and self.gpus >= work.gpus
            and not wanted & self.ports
        )

    def take(self, work: Workload) -> None:
        self.milli_cpu -= work.milli_cpu
        self.mebibytes -= work.mebibytes
        self.gpus -= work.gpus
        self.ports |= {host for _, host in work.ports}
        self.images.add(work.image)

    def emptiness(self, work: Workload, pod: str) -> float:
        pool = self.node.pool
        free = self.milli_cpu / pool.milli_cpu + self.mebibytes / pool.mebibytes
        free += self.gpus / pool.gpus if work.gpus else 0.0
        return free + draw(f"{pod}@{self.node.name}", 100) / 250


class Floor:
    """All nodes with what is left of each."""

    def __init__(self, nodes: Iterable[DemoNode]) -> None:
        self.rooms = [Room.of(node) for node in nodes]
        self.in_zone: Counter[tuple[str, str]] = Counter()

    def place_daemon(self, work: Workload) -> list[DemoNode]:
        rooms = [room for room in self.rooms if room.takes(work)]
        for room in rooms:
            room.take(work)
        return [room.node for room in rooms]

    def place(self, work: Workload, pod: str) -> DemoNode:
        """Raises `LookupError` where nothing is left: the tables of this package would then be wrong."""
        rooms = [
            room
            for room in self.rooms
            if room.takes(work) and not room.node.pool.cordoned and room.node.name not in FRESH
        ]
        if not rooms:
            raise LookupError(f"the demo cluster has no room for {pod}")
        fewest = min(self.in_zone[work.name, room.node.zone] for room in rooms)
        spread = [room for room in rooms if self.in_zone[work.name, room.node.zone] == fewest]
        best = max(spread, key=lambda room: room.emptiness(work, pod))
        best.take(work)
        self.in_zone[work.name, best.node.zone] += 1
        return best.node
