"""PodTopologySpread for one node and a pod with constraints of its own."""

import math

from scheduler.engine.arithmetic import golang
from scheduler.engine.labels import RequiredNodeAffinity, label_selector
from scheduler.engine.labels.selector import EQUALS, Requirement, Selector
from scheduler.engine.objects import Node, Pod, TopologySpreadConstraint
from scheduler.engine.values.taints import first_untolerated
from tests.engine.oracle.world import MAX_NODE_SCORE, Refusal, World

HOSTNAME = "kubernetes.io/hostname"


def rules(pod: Pod, action: str) -> list[TopologySpreadConstraint]:
    return [one for one in pod.spec.topology_spread_constraints or [] if one.when_unsatisfiable == action]


def selector_of(rule: TopologySpreadConstraint, pod: Pod) -> Selector:
    keys = [key for key in rule.match_label_keys or [] if key in pod.labels]
    return label_selector(rule.label_selector).adding(*(Requirement(key, EQUALS, (pod.labels[key],)) for key in keys))


def is_included(rule: TopologySpreadConstraint, pod: Pod, node: Node) -> bool:
    if rule.node_affinity_policy in (None, "Honor") and not RequiredNodeAffinity.of(pod).matches(
        node.name, node.labels
    ):
        return False
    return rule.node_taints_policy != "Honor" or first_untolerated(node.taints, pod.spec.tolerations or []) is None


def count(world: World, rule: TopologySpreadConstraint, pod: Pod, node: Node) -> int:
    selector = selector_of(rule, pod)
    if selector.is_empty:
        return 0
    alive = [one for one in world.pods_on(node) if one.namespace == pod.namespace and not one.is_terminating]
    return sum(selector.matches(one.labels) for one in alive)


def refusal(world: World, pod: Pod, node: Node) -> Refusal | None:
    hard = rules(pod, "DoNotSchedule")
    keys = {rule.topology_key for rule in hard}
    for rule in hard:
        key = rule.topology_key
        if key not in node.labels:
            return Refusal(("node(s) didn't match pod topology spread constraints (missing required label)",))
        counts: dict[str, int] = {}
        for other in world.nodes:
            if keys <= set(other.labels) and is_included(rule, pod, other):
                counts[other.labels[key]] = counts.get(other.labels[key], 0) + count(world, rule, pod, other)
        least = min(counts.values(), default=2**31 - 1)
        if len(counts) < (rule.min_domains or 1):
            least = 0
        itself = int(selector_of(rule, pod).matches(pod.labels))
        if counts.get(node.labels[key], 0) + itself - least > rule.max_skew:
            return Refusal(("node(s) didn't match pod topology spread constraints",), hopeless=False)
    return None


def is_scored(world: World, pod: Pod) -> bool:
    return bool(rules(pod, "ScheduleAnyway"))


def ignored(pod: Pod, node: Node) -> bool:
    return not {rule.topology_key for rule in rules(pod, "ScheduleAnyway")} <= set(node.labels)


def score(world: World, pod: Pod, node: Node, feasible: list[Node]) -> int:
    if ignored(pod, node):
        return 0
    total, taking_part = 0.0, [one for one in feasible if not ignored(pod, one)]
    for rule in rules(pod, "ScheduleAnyway"):
        key = rule.topology_key
        if key == HOSTNAME:
            domains, pods = len(taking_part), count(world, rule, pod, node)
        else:
            domains = len({one.labels[key] for one in taking_part})
            pods = 0
            for other in world.nodes:
                same = not ignored(pod, other) and other.labels[key] == node.labels[key]
                pods += count(world, rule, pod, other) if same and is_included(rule, pod, other) else 0
        total += float(pods) * golang.log(float(domains + 2)) + float(rule.max_skew - 1)
    return math.floor(total + 0.5)


def normalize_with(pod: Pod, nodes: list[Node], scores: list[int]) -> list[int]:
    kept = [score for node, score in zip(nodes, scores, strict=True) if not ignored(pod, node)]
    highest, lowest = max([0, *kept]), min(kept, default=0)
    result = []
    for node, score in zip(nodes, scores, strict=True):
        if ignored(pod, node):
            result.append(0)
        else:
            result.append(MAX_NODE_SCORE * (highest + lowest - score) // highest if highest else MAX_NODE_SCORE)
    return result
