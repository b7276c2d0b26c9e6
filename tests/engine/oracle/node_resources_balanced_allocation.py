"""NodeResourcesBalancedAllocation for one node, over cpu and memory."""

from scheduler.engine.objects import Node, Pod
from scheduler.engine.values.requests import node_allocatable, pod_requests
from tests.engine.oracle.node_resources_fit import used
from tests.engine.oracle.world import MAX_NODE_SCORE, World

RESOURCES = ("cpu", "memory")


def is_scored(world: World, pod: Pod) -> bool:
    return any(pod_requests(pod).get(resource, 0) for resource in RESOURCES)


def score(world: World, pod: Pod, node: Node) -> int:
    fractions = []
    for resource in RESOURCES:
        capacity = node_allocatable(node).get(resource, 0)
        if capacity == 0:
            continue
        requested = used(world, node, resource) + pod_requests(pod).get(resource, 0)
        fractions.append(min(1.0, requested / capacity))
    deviation = abs((fractions[0] - fractions[1]) / 2) if len(fractions) == 2 else 0.0
    return int((1 - deviation) * float(MAX_NODE_SCORE))
