"""NodeAffinity for one node."""

from scheduler.engine.labels import RequiredNodeAffinity, preferred_terms
from scheduler.engine.objects import Node, Pod
from tests.engine.oracle.world import Refusal, World, default_normalize


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    if RequiredNodeAffinity.of(pod).matches(node.name, node.labels):
        return None
    return Refusal(("node(s) didn't match Pod's node affinity/selector",))


def is_scored(world: World, pod: Pod) -> bool:
    affinity = pod.spec.affinity and pod.spec.affinity.node_affinity
    return affinity is not None and affinity.preferred is not None


def score(world: World, pod: Pod, node: Node) -> int:
    total = 0
    for weight, term in preferred_terms(pod.spec.affinity.node_affinity.preferred).terms:
        if term.matches(node.name, node.labels):
            total += weight
    return total


def normalize(scores: list[int]) -> list[int]:
    return default_normalize(scores)
