"""Nodes that have a pod's images start it sooner. Source: v1.34.1 plugins/imagelocality."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler.engine.framework import MAX_NODE_SCORE, Int64Array, Nodes, Plugin, Step

if TYPE_CHECKING:
    from scheduler.engine.cluster.pod_info import PodInfo
    from scheduler.engine.cycle.prepared import Scoring

MIB = 2**20
MIN_THRESHOLD = 23 * MIB
MAX_CONTAINER_THRESHOLD = 1000 * MIB


class ImageLocality(Plugin):
    name = "ImageLocality"
    weight = 1
    score_reads = "pods"

    def shape_key(self, pod: PodInfo) -> tuple[str, ...]:
        return tuple(pod_images(pod))

    def score(self, cycle: Scoring, nodes: Nodes) -> Int64Array:
        images, total = pod_images(cycle.pod), np.zeros(len(nodes), np.int64)
        if not any(name in cycle.images for name in images):
            return total
        for name in images:
            total += self._share(cycle, nodes, name)
        highest = MAX_CONTAINER_THRESHOLD * len(images)
        clipped = np.maximum(np.minimum(total, highest), MIN_THRESHOLD)
        return MAX_NODE_SCORE * (clipped - MIN_THRESHOLD) // (highest - MIN_THRESHOLD)

    def _share(self, cycle: Scoring, nodes: Nodes, name: str) -> Int64Array:
        """The image's size, scaled by how widely it is spread; 0 where the node does not have it."""
        image = cycle.images.get(name)
        if image is None:
            return np.zeros(len(nodes), np.int64)
        spread = image.count_at(nodes.take(nodes.columns[("cloned_at",)])) / cycle.node_count
        share = (float(image.size) * spread).astype(np.int64)
        where_present: Int64Array = share * nodes.take(nodes.columns[("image", name)])
        return where_present

    def explain(self, cycle: Scoring, row: int) -> list[Step]:
        nodes, images = Nodes(cycle.columns, np.array([row], np.int64)), pod_images(cycle.pod)
        steps = []
        for number, name in enumerate(images):
            image, has = cycle.images.get(name), bool(nodes.take(nodes.columns[("image", name)])[0])
            count = int(image.count_at(nodes.take(nodes.columns[("cloned_at",)]))[0]) if image and has else 0
            size = image.size if image and has else 0
            share = int(float(size) * (float(count) / float(cycle.node_count)))
            steps.append(Step(f"image {number}", "image_share", (size, count, cycle.node_count), share, name))
        highest = MAX_CONTAINER_THRESHOLD * len(images)
        total = sum(step.result for step in steps)
        clipped = max(min(total, highest), MIN_THRESHOLD)
        score = MAX_NODE_SCORE * (clipped - MIN_THRESHOLD) // (highest - MIN_THRESHOLD)
        return [
            *steps,
            Step("sum", "sum", tuple(step.name for step in steps), total),
            Step(
                "clipped", "clip", ("sum", MIN_THRESHOLD, highest), clipped, "between 23 MiB and 1000 MiB a container"
            ),
            Step("score", "share_of_range", ("clipped", MIN_THRESHOLD, highest), score),
        ]


def pod_images(pod: PodInfo) -> list[str]:
    """Normalised image names of init containers and containers, one each, in order."""
    spec = pod.shape.pod.spec
    return [normalized_image_name(one.image or "") for one in (*(spec.init_containers or ()), *(spec.containers or ()))]


def normalized_image_name(name: str) -> str:
    """`:latest` is added where there is no tag; a colon before the last slash belongs to a registry's port."""
    return name if name.rfind(":") > name.rfind("/") else f"{name}:latest"
