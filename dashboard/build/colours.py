"""Pods as small squares: which look an owner has, and how many pods of each look a node holds.

A look is a colour with a fill: 1 to 8 are solid, 9 to 16 hollow, 17 to 24 striped.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from heapq import nsmallest
from threading import Lock
from zlib import crc32

from scheduler.engine.cluster.node_info import NodeInfo
from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.objects import Pod

COLOURS, FILLS = 8, 3
LOOKS = COLOURS * FILLS

Squares = list[list[int]]


class Looks:
    """Who looks how in a cluster: the first LOOKS owners, those of most pods first, have a look of their own for good.

    Of more owners some share one, but never on one node (unless more than LOOKS are there).
    """

    def __init__(self, infos: Iterable[NodeInfo] = ()) -> None:
        pods = Counter(owner(pod.pod) for info in infos for pod in info.pods)
        self._given: dict[str, int] = {}
        self._mutex = Lock()
        for name in nsmallest(LOOKS, pods, key=lambda name: (-pods[name], name)):
            self._look(name)

    def on_node(self, pods: Iterable[PodInfo]) -> dict[str, int]:
        """The look of each owner on a node, those of most pods first."""
        return self._apart(Counter(owner(pod.pod) for pod in pods))

    def squares(self, pods: Iterable[PodInfo]) -> Squares:
        """[[look, count], …] of the pods on a node, most first."""
        counts = Counter(owner(pod.pod) for pod in pods)
        return [[look, counts[name]] for name, look in self._apart(counts).items()]

    def _apart(self, pods: Counter[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for name in sorted(pods, key=lambda name: (-pods[name], name)):
            look, taken = self._look(name), found.values()
            found[name] = _free(look, taken) if look in taken else look
        return found

    def _look(self, name: str) -> int:
        if name not in self._given and len(self._given) < LOOKS:
            with self._mutex:
                if name not in self._given and len(self._given) < LOOKS:
                    self._given[name] = _free(_home(name), self._given.values())
        return self._given.get(name) or _home(name)


def owner(pod: Pod) -> str:
    """`namespace/name` of the controlling owner, without the hash that a Deployment adds; else the pod itself."""
    for reference in pod.metadata.owner_references or ():
        if reference.controller:
            name = reference.name.rpartition("-")[0] if reference.kind == "ReplicaSet" else reference.name
            return f"{pod.namespace}/{name or reference.name}"
    return pod.key


@lru_cache(maxsize=65_536)
def _home(name: str) -> int:
    return crc32(name.encode()) % COLOURS + 1


def _free(look: int, taken: Container[int]) -> int:
    """The nearest that is not taken, solid ones first; `look` itself where all are."""
    return next((one for one in _from(look) if one not in taken), look)


def _from(look: int) -> Iterator[int]:
    for fill in range(FILLS):
        for step in range(COLOURS):
            yield fill * COLOURS + (look - 1 + step) % COLOURS + 1
