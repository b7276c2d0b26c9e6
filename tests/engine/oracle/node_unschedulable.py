"""NodeUnschedulable for one node."""

from scheduler.engine.objects import Node, Pod
from scheduler.engine.values.taints import UNSCHEDULABLE_TAINT, tolerates
from tests.engine.oracle.world import Refusal, World


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    if not node.spec.unschedulable:
        return None
    for toleration in pod.spec.tolerations or []:
        if tolerates(toleration, UNSCHEDULABLE_TAINT):
            return None
    return Refusal(("node(s) were unschedulable",))
