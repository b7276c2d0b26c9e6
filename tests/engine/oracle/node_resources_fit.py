"""NodeResourcesFit for one node, with the LeastAllocated strategy over cpu and memory."""

from scheduler.engine.objects import Node, Pod
from scheduler.engine.values.requests import is_scalar_resource, node_allocatable, pod_requests
from tests.engine.oracle.world import MAX_NODE_SCORE, Refusal, World


def used(world: World, node: Node, resource: str, nonzero: bool = False) -> int:
    pods = world.pods_on(node)
    return sum(pod_requests(pod, status_resources=True, nonzero=nonzero).get(resource, 0) for pod in pods)


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    allocatable, requests = node_allocatable(node), pod_requests(pod)
    reasons, hopeless = [], False
    if len(world.pods_on(node)) + 1 > allocatable.get("pods", 0):
        reasons.append("Too many pods")
    scalars = sorted(name for name in requests if is_scalar_resource(name))
    for resource in ["cpu", "memory", "ephemeral-storage", *scalars]:
        wanted = requests.get(resource, 0)
        if wanted > 0 and wanted > allocatable.get(resource, 0) - used(world, node, resource):
            reasons.append(f"Insufficient {resource}")
            hopeless = hopeless or wanted > allocatable.get(resource, 0)
    return Refusal(tuple(reasons), hopeless) if reasons else None


def score(world: World, pod: Pod, node: Node) -> int:
    wanted = pod_requests(pod, pod_level=False, nonzero=True)
    total = weights = 0
    for resource in ("cpu", "memory"):
        capacity = node_allocatable(node).get(resource, 0)
        if capacity == 0:
            continue
        requested = used(world, node, resource, nonzero=True) + wanted.get(resource, 0)
        total += 0 if requested > capacity else (capacity - requested) * MAX_NODE_SCORE // capacity
        weights += 1
    return total // weights if weights else 0
