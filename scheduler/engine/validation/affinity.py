"""Selectors, node and pod affinity, topology spread constraints."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler.engine import labels
from scheduler.engine.errors import Invalid
from scheduler.engine.objects import (
    Affinity,
    LabelSelector,
    LabelSelectorRequirement,
    NodeAffinity,
    NodeSelectorTerm,
    PodAffinity,
    PodAffinityTerm,
    TopologySpreadConstraint,
)
from scheduler.engine.validation.metadata import labels as label_map
from scheduler.engine.validation.rules import duplicate, fault, forbidden, one_of, required, spelled
from scheduler.engine.values import syntax

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_SELECTOR_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
_UNSATISFIABLE = ("DoNotSchedule", "ScheduleAnyway")
_POLICIES = ("Honor", "Ignore")


def label_selector(path: str, selector: LabelSelector | None) -> Iterator[Invalid]:
    if selector is None:
        return
    yield from label_map(f"{path}.matchLabels", selector.match_labels)
    for number, expression in enumerate(selector.match_expressions or ()):
        yield from _expression(f"{path}.matchExpressions[{number}]", expression)


def _expression(path: str, expression: LabelSelectorRequirement) -> Iterator[Invalid]:
    operator, values = expression.operator, expression.values or []
    if operator in ("In", "NotIn") and not values:
        yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist") and values:
        yield forbidden(f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    elif operator not in _SELECTOR_OPERATORS:
        yield fault(f"{path}.operator", operator, "not a valid selector operator")
    if complaints := syntax.qualified_name(expression.key):
        yield fault(f"{path}.key", expression.key, "; ".join(complaints))
    for number, value in enumerate(values):
        yield from spelled(f"{path}.values[{number}]", value, syntax.label_value)


def affinity(path: str, given: Affinity | None) -> Iterator[Invalid]:
    if given is None:
        return
    if given.node_affinity is not None:
        yield from _node_affinity(f"{path}.nodeAffinity", given.node_affinity)
    if given.pod_affinity is not None:
        yield from _pod_affinity(f"{path}.podAffinity", given.pod_affinity)
    if given.pod_anti_affinity is not None:
        yield from _pod_affinity(f"{path}.podAntiAffinity", given.pod_anti_affinity)


def _node_affinity(path: str, given: NodeAffinity) -> Iterator[Invalid]:
    if given.required is not None:
        here = f"{path}.{_REQUIRED}.nodeSelectorTerms"
        terms = given.required.node_selector_terms or []
        if not terms:
            yield required(here, "must have at least one node selector term")
        for number, term in enumerate(terms):
            yield from node_term(f"{here}[{number}]", term)
    for number, preferred in enumerate(given.preferred or ()):
        here = f"{path}.{_PREFERRED}[{number}]"
        yield from _weight(f"{here}.weight", preferred.weight)
        yield from node_term(f"{here}.preference", preferred.preference)


def node_term(path: str, term: NodeSelectorTerm) -> Iterator[Invalid]:
    """A value that is no label value is let through here, as the API server does; the algorithm reports it."""
    for number, expression in enumerate(term.match_expressions or ()):
        yield from _node_expression(f"{path}.matchExpressions[{number}]", expression)
    for number, expression in enumerate(term.match_fields or ()):
        yield from _node_field(f"{path}.matchFields[{number}]", expression)


def _node_field(path: str, expression: LabelSelectorRequirement) -> Iterator[Invalid]:
    values = expression.values or ()
    if expression.operator not in ("In", "NotIn"):
        yield fault(f"{path}.operator", expression.operator, "not a valid selector operator")
    elif len(values) != 1:
        detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        yield required(f"{path}.values", detail)
    if expression.key != labels.NAME_FIELD:
        yield fault(f"{path}.key", expression.key, "not a valid field selector key")
        return
    for number, value in enumerate(values):
        yield from spelled(f"{path}.values[{number}]", value, syntax.dns_subdomain)


def _node_expression(path: str, expression: LabelSelectorRequirement) -> Iterator[Invalid]:
    operator, count = expression.operator, len(expression.values or ())
    if operator in ("In", "NotIn") and not count:
        yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist") and count:
        yield forbidden(f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    elif operator in ("Gt", "Lt") and count != 1:
        yield required(f"{path}.values", "must be specified single value when `operator` is 'Lt' or 'Gt'")
    elif operator not in (*_SELECTOR_OPERATORS, "Gt", "Lt"):
        yield fault(f"{path}.operator", operator, "not a valid selector operator")
    if complaints := syntax.qualified_name(expression.key):
        yield fault(f"{path}.key", expression.key, "; ".join(complaints))


def _weight(path: str, weight: int) -> Iterator[Invalid]:
    if not 1 <= weight <= 100:
        yield fault(path, weight, "must be in the range 1-100")


def _pod_affinity(path: str, given: PodAffinity) -> Iterator[Invalid]:
    for number, term in enumerate(given.required or ()):
        yield from _pod_term(f"{path}.{_REQUIRED}[{number}]", term)
    for number, preferred in enumerate(given.preferred or ()):
        here = f"{path}.{_PREFERRED}[{number}]"
        yield from _weight(f"{here}.weight", preferred.weight)
        yield from _pod_term(f"{here}.podAffinityTerm", preferred.pod_affinity_term)


def _pod_term(path: str, term: PodAffinityTerm) -> Iterator[Invalid]:
    yield from label_selector(f"{path}.labelSelector", term.label_selector)
    yield from label_selector(f"{path}.namespaceSelector", term.namespace_selector)
    for number, namespace in enumerate(term.namespaces or ()):
        yield from spelled(f"{path}.namespaces[{number}]", namespace, syntax.dns_label)
    yield from _match_label_keys(path, "matchLabelKeys", term.match_label_keys, term.label_selector)
    yield from _match_label_keys(path, "mismatchLabelKeys", term.mismatch_label_keys, term.label_selector)
    for number, key in enumerate(term.match_label_keys or ()):
        if key in (term.mismatch_label_keys or ()):
            yield fault(f"{path}.matchLabelKeys[{number}]", key, "exists in both matchLabelKeys and mismatchLabelKeys")
    yield from _topology_key(f"{path}.topologyKey", term.topology_key)


def _match_label_keys(
    path: str, field: str, keys: list[str] | None, selector: LabelSelector | None
) -> Iterator[Invalid]:
    if not keys:
        return
    if selector is None:
        yield forbidden(f"{path}.{field}", "must not be specified when labelSelector is not set")
    for number, key in enumerate(keys):
        if complaints := syntax.qualified_name(key):
            yield fault(f"{path}.{field}[{number}]", key, "; ".join(complaints))


def _topology_key(path: str, key: str) -> Iterator[Invalid]:
    if not key:
        yield required(path, "can not be empty")
    elif complaints := syntax.qualified_name(key):
        yield fault(path, key, "; ".join(complaints))


def spread(path: str, constraints: list[TopologySpreadConstraint]) -> Iterator[Invalid]:
    seen: set[tuple[str, str]] = set()
    for number, constraint in enumerate(constraints):
        here = f"{path}[{number}]"
        yield from _constraint(here, constraint)
        pair = (constraint.topology_key, constraint.when_unsatisfiable)
        if pair in seen:
            yield duplicate(f"{here}.{{topologyKey, whenUnsatisfiable}}", f"{{{pair[0]}, {pair[1]}}}")
        seen.add(pair)


def _constraint(path: str, constraint: TopologySpreadConstraint) -> Iterator[Invalid]:
    if constraint.max_skew < 1:
        yield fault(f"{path}.maxSkew", constraint.max_skew, "must be greater than zero")
    yield from _topology_key(f"{path}.topologyKey", constraint.topology_key)
    if not constraint.when_unsatisfiable:
        yield required(f"{path}.whenUnsatisfiable")
    yield from one_of(f"{path}.whenUnsatisfiable", constraint.when_unsatisfiable, _UNSATISFIABLE)
    if constraint.min_domains is not None:
        yield from _min_domains(f"{path}.minDomains", constraint.min_domains, constraint.when_unsatisfiable)
    yield from one_of(f"{path}.nodeAffinityPolicy", constraint.node_affinity_policy, _POLICIES)
    yield from one_of(f"{path}.nodeTaintsPolicy", constraint.node_taints_policy, _POLICIES)
    yield from label_selector(f"{path}.labelSelector", constraint.label_selector)
    yield from _match_label_keys(path, "matchLabelKeys", constraint.match_label_keys, constraint.label_selector)


def _min_domains(path: str, least: int, when_unsatisfiable: str) -> Iterator[Invalid]:
    if least < 1:
        yield fault(path, least, "must be greater than zero")
    if when_unsatisfiable != "DoNotSchedule":
        detail = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {when_unsatisfiable}"
        yield fault(path, least, detail)
