"""One node with the pods on it, in the scheduler's own order. Source: kube-scheduler v1.34.1 framework/types.go."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler.engine.cluster.pod_info import HostPort, PodInfo
from scheduler.engine.objects import Node


class NodeInfo:
    """`node` is None for a ghost: a removed node that still holds pods. `epoch` says who may change this value.

    `pods` is in arrival order, but a removal moves the last pod into the hole. `ports` is a set: removing one pod frees
    a port even if another pod on the node holds the same one.
    """

    __slots__ = ("epoch", "name", "node", "pods", "ports")

    def __init__(self, name: str, node: Node | None = None, epoch: int = 0) -> None:
        self.name = name
        self.node = node
        self.pods: list[PodInfo] = []
        self.ports: set[HostPort] = set()
        self.epoch = epoch

    def clone(self, epoch: int = 0) -> NodeInfo:
        copy = NodeInfo(self.name, self.node, epoch)
        copy.pods = list(self.pods)
        copy.ports = set(self.ports)
        return copy

    def add(self, pod: PodInfo) -> None:
        self.pods.append(pod)
        self.ports.update(pod.ports)

    def remove(self, pod: PodInfo) -> None:
        """Raises ValueError if the pod is not here."""
        place = self._place_of(pod)
        last = self.pods.pop()
        if place < len(self.pods):
            self.pods[place] = last
        self.ports.difference_update(pod.ports)

    def _place_of(self, pod: PodInfo) -> int:
        if pod in self.pods:
            return self.pods.index(pod)
        place = next((place for place, other in enumerate(self.pods) if other.key == pod.key), None)
        if place is None:
            raise ValueError(f"pod {pod.key} is not on node {self.name}")
        return place

    def patched(self, added: Iterable[PodInfo], removed: Iterable[PodInfo]) -> NodeInfo:
        """A copy with pods taken away, then others put there."""
        copy = self.clone()
        for pod in removed:
            copy.remove(pod)
        for pod in added:
            copy.add(pod)
        return copy
