"""TaintToleration for one node."""

from scheduler.engine.objects import Node, Pod
from scheduler.engine.values.taints import tolerates
from tests.engine.oracle.world import Refusal, World, default_normalize


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    for taint in node.taints:
        if taint.effect not in ("NoSchedule", "NoExecute"):
            continue
        if not any(tolerates(toleration, taint) for toleration in pod.spec.tolerations or []):
            return Refusal((f"node(s) had untolerated taint {{{taint.key}: {taint.value or ''}}}",))
    return None


def score(world: World, pod: Pod, node: Node) -> int:
    considered = [one for one in pod.spec.tolerations or [] if (one.effect or "") in ("", "PreferNoSchedule")]
    count = 0
    for taint in node.taints:
        if taint.effect == "PreferNoSchedule" and not any(tolerates(one, taint) for one in considered):
            count += 1
    return count


def normalize(scores: list[int]) -> list[int]:
    return default_normalize(scores, reverse=True)
