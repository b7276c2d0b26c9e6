"""Which images are on how many nodes, as kube-scheduler's cache knows it, stale numbers included.

The size of an image is the one that the first node reported. How many nodes have it is captured for each node when
that node is copied into a snapshot; later arrivals elsewhere do not change it.
Source: kube-scheduler v1.34.1 backend/cache/cache.go, addNodeImageStates.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scheduler.engine.framework import Int64Array
from scheduler.engine.objects import Node


@dataclass(slots=True)
class ImageState:
    """`epochs[i]`: number of the snapshot from which on `counts[i]` nodes had the image."""

    size: int
    nodes: set[str] = field(default_factory=set)
    epochs: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def record(self, epoch: int) -> None:
        if self.epochs and self.epochs[-1] == epoch:
            self.counts[-1] = len(self.nodes)
        else:
            self.epochs.append(epoch)
            self.counts.append(len(self.nodes))

    def count_at(self, cloned_at: Int64Array) -> Int64Array:
        """How many nodes had it when each row was copied. `cloned_at`: snapshot numbers."""
        if len(self.counts) == 1:
            return np.full(len(cloned_at), self.counts[0], np.int64)
        place = np.searchsorted(np.array(self.epochs), cloned_at, side="right") - 1
        return np.array(self.counts, np.int64)[np.maximum(place, 0)]

    def copy(self) -> ImageState:
        return ImageState(self.size, set(self.nodes), list(self.epochs), list(self.counts))


def image_names(node: Node) -> dict[str, int]:
    """Name to size of the images that a node reports, in its order; the first mention of a name counts."""
    names: dict[str, int] = {}
    for image in (node.status.images if node.status else None) or ():
        for name in image.names or ():
            names.setdefault(name, image.size_bytes or 0)
    return names


class ImageStates:
    """All images of the cluster by exact name."""

    def __init__(self) -> None:
        self.by_name: dict[str, ImageState] = {}

    def copy(self) -> ImageStates:
        other = ImageStates()
        other.by_name = {name: state.copy() for name, state in self.by_name.items()}
        return other

    def add_node(self, node: Node, epoch: int) -> None:
        """`epoch`: number of the next snapshot, the first that can see this."""
        for name, size in image_names(node).items():
            state = self.by_name.setdefault(name, ImageState(size))
            state.nodes.add(node.name)
            state.record(epoch)

    def remove_node(self, node: Node, epoch: int) -> None:
        """An image that no node has is forgotten, with its size."""
        for name in image_names(node):
            state = self.by_name.get(name)
            if state is None:
                continue
            state.nodes.discard(node.name)
            state.record(epoch)
            if not state.nodes:
                del self.by_name[name]
