"""NodeName for one node."""

from scheduler.engine.objects import Node, Pod
from tests.engine.oracle.world import Refusal, World


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    if pod.node_name and pod.node_name != node.name:
        return Refusal(("node(s) didn't match the requested node name",))
    return None
