"""ImageLocality for one node of a cluster whose snapshot is new."""

from scheduler.engine.objects import Node, Pod
from tests.engine.oracle.world import MAX_NODE_SCORE, World

MIB = 1024 * 1024


def full_name(image: str) -> str:
    return image if ":" in image.rsplit("/", 1)[-1] else f"{image}:latest"


def sizes(node: Node) -> dict[str, int]:
    found: dict[str, int] = {}
    for image in node.status.images or []:
        for name in image.names or []:
            found.setdefault(name, image.size_bytes or 0)
    return found


def score(world: World, pod: Pod, node: Node) -> int:
    containers = [*(pod.spec.init_containers or []), *(pod.spec.containers or [])]
    total = 0
    for container in containers:
        name = full_name(container.image or "")
        if name not in sizes(node):
            continue
        having = [other for other in world.nodes if name in sizes(other)]
        size = sizes(having[0])[name]
        total += int(float(size) * (float(len(having)) / float(len(world.nodes))))
    least, most = 23 * MIB, 1000 * MIB * len(containers)
    total = least if total < least else min(total, most)
    return MAX_NODE_SCORE * (total - least) // (most - least)
