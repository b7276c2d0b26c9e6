"""Pods as coloured squares: which owner has which of eight colours, and how many pods of each a node holds."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from scheduler.engine.cluster.pod_info import PodInfo
from scheduler.engine.objects import Pod

COLOURS = 8

Squares = list[list[int]]


@lru_cache(maxsize=65_536)
def colour(owner: str) -> int:
    """1…8, the same for an owner everywhere and always."""
    return crc32(owner.encode()) % COLOURS + 1


def owner(pod: Pod) -> str:
    """`namespace/name` of the controlling owner, without the hash that a Deployment adds; else the pod itself."""
    for reference in pod.metadata.owner_references or ():
        if reference.controller:
            name = reference.name.rpartition("-")[0] if reference.kind == "ReplicaSet" else reference.name
            return f"{pod.namespace}/{name or reference.name}"
    return pod.key


def squares(pods: Sequence[PodInfo]) -> Squares:
    """[[colour, count], …] of the pods on a node, most first."""
    counts = Counter(colour(owner(info.pod)) for info in pods)
    return [[one, number] for one, number in counts.most_common()]
