"""InterPodAffinity for one node, with default arguments."""

from collections import Counter

from scheduler.engine.labels import NOTHING, label_selector
from scheduler.engine.objects import Node, Pod, PodAffinity, PodAffinityTerm
from tests.engine.oracle.world import MAX_NODE_SCORE, Refusal, World


def sides(pod: Pod) -> tuple[PodAffinity, PodAffinity]:
    """(affinity, anti-affinity)"""
    affinity = pod.spec.affinity
    if affinity is None:
        return PodAffinity(), PodAffinity()
    return affinity.pod_affinity or PodAffinity(), affinity.pod_anti_affinity or PodAffinity()


def means(world: World, term: PodAffinityTerm, owner: Pod, target: Pod, is_incoming: bool) -> bool:
    """Whether a term of `owner` matches `target`. The incoming pod's terms treat namespaces in the odd way of 1.34."""
    chosen = NOTHING if term.namespace_selector is None else label_selector(term.namespace_selector)
    names = set(term.namespaces or [])
    if not names and term.namespace_selector is None:
        names = {owner.namespace}
    if is_incoming and not chosen.nothing and not chosen.is_empty:
        names |= {name for name, labels in world.namespaces.items() if chosen.matches(labels)}
    labels = {} if is_incoming else world.namespaces.get(target.namespace, {})
    in_namespace = target.namespace in names or chosen.matches(labels)
    return in_namespace and label_selector(term.label_selector).matches(target.labels)


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    near, away = (side.required or [] for side in sides(pod))
    together, apart, existing = Counter(), Counter(), Counter()
    for other_node in world.nodes:
        for other in world.pods_on(other_node):
            if near and all(means(world, term, pod, other, True) for term in near):
                together.update((term.topology_key, other_node.labels.get(term.topology_key)) for term in near)
            for term in away:
                if means(world, term, pod, other, True):
                    apart[term.topology_key, other_node.labels.get(term.topology_key)] += 1
            for term in sides(other)[1].required or []:
                if means(world, term, other, pod, False):
                    existing[term.topology_key, other_node.labels.get(term.topology_key)] += 1
    if any(term.topology_key not in node.labels for term in near):
        return Refusal(("node(s) didn't match pod affinity rules",))
    nobody = not any(value is not None for _, value in together)
    is_first = nobody and all(means(world, term, pod, pod, True) for term in near)
    if not is_first and any(not together[term.topology_key, node.labels[term.topology_key]] for term in near):
        return Refusal(("node(s) didn't match pod affinity rules",))
    if any(apart[pair] for pair in node.labels.items()):
        return Refusal(("node(s) didn't match pod anti-affinity rules",), hopeless=False)
    if any(existing[pair] for pair in node.labels.items()):
        return Refusal(("node(s) didn't satisfy existing pods anti-affinity rules",), hopeless=False)
    return None


def weights(world: World, pod: Pod) -> dict[tuple[str, str], int]:
    """(label key, value) → sum of the weights of all terms, the pod's and the others', that meet there."""
    found: dict[tuple[str, str], int] = {}

    def meet(term: PodAffinityTerm, node: Node, weight: int) -> None:
        if term.topology_key in node.labels:
            pair = term.topology_key, node.labels[term.topology_key]
            found[pair] = found.get(pair, 0) + weight

    for node in world.nodes:
        for other in world.pods_on(node):
            for owner, target, is_incoming in ((pod, other, True), (other, pod, False)):
                for side, sign in zip(sides(owner), (1, -1), strict=True):
                    for one in side.preferred or []:
                        if means(world, one.pod_affinity_term, owner, target, is_incoming):
                            meet(one.pod_affinity_term, node, sign * one.weight)
            for term in sides(other)[0].required or []:
                if means(world, term, other, pod, False):
                    meet(term, node, 1)
    return found


def is_scored(world: World, pod: Pod) -> bool:
    return bool(weights(world, pod))


def score(world: World, pod: Pod, node: Node) -> int:
    return sum(weight for (key, value), weight in weights(world, pod).items() if node.labels.get(key) == value)


def normalize(scores: list[int]) -> list[int]:
    lowest, highest = min(scores), max(scores)
    if lowest == highest:
        return [0] * len(scores)
    return [int(float(MAX_NODE_SCORE) * (float(score - lowest) / float(highest - lowest))) for score in scores]
