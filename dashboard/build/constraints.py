"""What a pod demands of its node, in plain words: one sentence a constraint, with the algorithm that enforces it."""

from collections.abc import Iterator
from typing import NamedTuple

from dashboard.text import listed
from scheduler.engine.objects import (
    LabelSelector,
    LabelSelectorRequirement,
    NodeSelectorTerm,
    Pod,
    PodAffinityTerm,
    Toleration,
    TopologySpreadConstraint,
)
from scheduler.engine.words import count

SIGNS = {"In": "is", "NotIn": "is not", "Exists": "is set", "DoesNotExist": "is not set", "Gt": ">", "Lt": "<"}


class Constraint(NamedTuple):
    """`must`: a node that fails it is refused; otherwise it only scores lower."""

    plugin: str
    must: bool
    text: str


def constraints(pod: Pod) -> list[Constraint]:
    """Every constraint of the pod besides its requests, in the order of the algorithms."""
    return [*_tolerations(pod), *_node_affinity(pod), *_ports(pod), *_spread(pod), *_pod_affinity(pod)]


def _tolerations(pod: Pod) -> Iterator[Constraint]:
    for toleration in pod.spec.tolerations or []:
        yield Constraint("TaintToleration", False, f"Tolerates {toleration_text(toleration)}.")


def toleration_text(toleration: Toleration) -> str:
    """`taint dedicated=ml:NoSchedule`, `every taint`."""
    effect = f":{toleration.effect}" if toleration.effect else " with any effect"
    if not toleration.key:
        return f"every taint{effect if toleration.effect else ''}"
    value = "" if toleration.operator == "Exists" else f"={toleration.value or ''}"
    return f"taint {toleration.key}{value}{effect}"


def _node_affinity(pod: Pod) -> Iterator[Constraint]:
    for key, value in (pod.spec.node_selector or {}).items():
        yield Constraint("NodeAffinity", True, f"The node's label {key} is {value}.")
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    if affinity and affinity.required:
        terms = [term_text(term) for term in affinity.required.node_selector_terms or []]
        yield Constraint("NodeAffinity", True, f"On the node, {listed(terms, 'or')}.")
    for preferred in (affinity.preferred if affinity else None) or []:
        text = f"Prefers, with weight {preferred.weight}, a node where {term_text(preferred.preference)}."
        yield Constraint("NodeAffinity", False, text)


def term_text(term: NodeSelectorTerm) -> str:
    parts = [requirement_text(one) for one in [*(term.match_expressions or []), *(term.match_fields or [])]]
    return listed(parts) or "nothing matches (the term is empty)"


def requirement_text(requirement: LabelSelectorRequirement) -> str:
    """`disk is ssd or nvme`, `gpu is set`."""
    sign = SIGNS.get(requirement.operator, requirement.operator)
    values = listed(list(requirement.values or []), "or")
    return f"{requirement.key} {sign} {values}".rstrip()


def selector_text(selector: LabelSelector | None) -> str:
    if selector is None:
        return "no pods"
    parts = [f"{key} is {value}" for key, value in (selector.match_labels or {}).items()]
    parts += [requirement_text(one) for one in selector.match_expressions or []]
    return f"pods where {listed(parts)}" if parts else "all pods"


def _ports(pod: Pod) -> Iterator[Constraint]:
    for container in pod.spec.containers or []:
        for port in container.ports or []:
            if port.host_port:
                place = f"{port.host_ip or '0.0.0.0'}:{port.host_port}/{port.protocol or 'TCP'}"
                yield Constraint("NodePorts", True, f"Port {place} of the node is free.")


def _spread(pod: Pod) -> Iterator[Constraint]:
    for one in pod.spec.topology_spread_constraints or []:
        must = one.when_unsatisfiable == "DoNotSchedule"
        yield Constraint("PodTopologySpread", must, spread_text(one, must))


def spread_text(one: TopologySpreadConstraint, must: bool) -> str:
    minimum = f", counting at least {count(one.min_domains, 'domain')}" if one.min_domains else ""
    begin = "Spreads" if must else "Prefers to spread"
    return (
        f"{begin} {selector_text(one.label_selector)} over {one.topology_key}, at most {one.max_skew} apart{minimum}."
    )


def _pod_affinity(pod: Pod) -> Iterator[Constraint]:
    affinity = pod.spec.affinity
    for near, terms in (
        ("with", affinity.pod_affinity if affinity else None),
        ("without", affinity.pod_anti_affinity if affinity else None),
    ):
        for term in (terms.required if terms else None) or []:
            yield Constraint("InterPodAffinity", True, f"Goes to a {place_text(term, near)}.")
        for weighted in (terms.preferred if terms else None) or []:
            text = f"Prefers, with weight {weighted.weight}, a {place_text(weighted.pod_affinity_term, near)}."
            yield Constraint("InterPodAffinity", False, text)


def place_text(term: PodAffinityTerm, near: str) -> str:
    """`topology.kubernetes.io/zone without pods where app is web in namespace shop`."""
    spaces = f" in namespace {listed(list(term.namespaces), 'or')}" if term.namespaces else ""
    if term.namespace_selector is not None:
        spaces += " in namespaces by label"
    return f"{term.topology_key} {near} {selector_text(term.label_selector)}{spaces}"
