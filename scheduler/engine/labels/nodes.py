"""Which nodes a pod asks for: nodeSelector, required and preferred node affinity.

Source: component-helpers scheduling/corev1/nodeaffinity v0.34.1. A term that cannot be parsed matches no node; its
error is reported only where nothing else matched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from scheduler.engine import objects
from scheduler.engine.errors import Invalid, aggregate
from scheduler.engine.labels.selector import (
    DOES_NOT_EXIST,
    EVERYTHING,
    EXISTS,
    GREATER_THAN,
    IN,
    LESS_THAN,
    NOT_IN,
    Requirement,
    Selector,
    map_selector,
    requirement,
)
from scheduler.engine.values import syntax

NAME_FIELD = "metadata.name"

_OPERATORS = {
    "In": IN,
    "NotIn": NOT_IN,
    "Exists": EXISTS,
    "DoesNotExist": DOES_NOT_EXIST,
    "Gt": GREATER_THAN,
    "Lt": LESS_THAN,
}
_FIELD_OPERATORS = {"In": IN, "NotIn": NOT_IN}
_Parse: TypeAlias = Callable[[objects.LabelSelectorRequirement, str], Requirement]


@dataclass(frozen=True, slots=True)
class NodeTerm:
    """AND of label and field requirements. Where it could not be parsed it has `errors` and matches no node."""

    labels: Selector = EVERYTHING
    fields: tuple[Requirement, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def error(self) -> str:
        """All errors as one text, "" if there are none."""
        return aggregate(map(Invalid, self.errors)) if self.errors else ""

    def matches(self, node_name: str, node_labels: Mapping[str, str]) -> bool:
        if self.errors:
            return False
        return self.matches_fields(node_name) and self.labels.matches(node_labels)

    def matches_fields(self, node_name: str) -> bool:
        """The only field of a node that can be selected is its name; any other reads as empty."""
        fields = {NAME_FIELD: node_name} if node_name else {}
        return not fields or all(_field_matches(one, fields.get(one.key, "")) for one in self.fields)


def _field_matches(one: Requirement, value: str) -> bool:
    return (one.values[0] == value) is (one.operator == IN)


@dataclass(frozen=True, slots=True)
class NodeSelector:
    """OR of terms; without a usable term it matches no node."""

    terms: tuple[NodeTerm, ...] = ()

    def matches(self, node_name: str, node_labels: Mapping[str, str]) -> bool:
        return any(term.matches(node_name, node_labels) for term in self.terms)

    def error(self, node_name: str, node_labels: Mapping[str, str]) -> str:
        """What could not be parsed, for a node that no term matches; "" otherwise."""
        errors = [Invalid(error) for term in self.terms for error in term.errors]
        return aggregate(errors) if errors and not self.matches(node_name, node_labels) else ""


@dataclass(frozen=True, slots=True)
class PreferredTerms:
    """Weighted terms; those of weight 0 and empty ones are left out."""

    terms: tuple[tuple[int, NodeTerm], ...] = ()

    def score(self, node_name: str, node_labels: Mapping[str, str]) -> int:
        """Sum of the weights of the terms that match."""
        return sum(weight for weight, term in self.terms if term.matches(node_name, node_labels))


@dataclass(frozen=True, slots=True)
class RequiredNodeAffinity:
    """What a pod demands of its node: its nodeSelector AND its required node affinity (None = not stated)."""

    labels: Selector = EVERYTHING
    affinity: NodeSelector | None = None

    @classmethod
    def of(cls, pod: objects.Pod) -> RequiredNodeAffinity:
        required = pod.spec.affinity and pod.spec.affinity.node_affinity and pod.spec.affinity.node_affinity.required
        return cls(map_selector(pod.spec.node_selector), node_selector(required) if required else None)

    def matches(self, node_name: str, node_labels: Mapping[str, str]) -> bool:
        if not self.labels.matches(node_labels):
            return False
        return self.affinity is None or self.affinity.matches(node_name, node_labels)

    def error(self, node_name: str, node_labels: Mapping[str, str]) -> str:
        if self.affinity is None or not self.labels.matches(node_labels):
            return ""
        return self.affinity.error(node_name, node_labels)


def node_selector(selector: objects.NodeSelector, path: str = "nodeSelectorTerms") -> NodeSelector:
    """Never raises: a term that cannot be parsed carries its error. `path`: where the terms stand."""
    terms = enumerate(selector.node_selector_terms or ())
    return NodeSelector(tuple(node_term(term, f"{path}[{number}]") for number, term in terms if not _is_empty(term)))


def preferred_terms(terms: Sequence[objects.PreferredSchedulingTerm] | None, path: str = "") -> PreferredTerms:
    """Raises Invalid if any term that counts cannot be parsed."""
    found = [
        (term.weight, node_term(term.preference, f"{path}[{number}]"))
        for number, term in enumerate(terms or ())
        if term.weight and not _is_empty(term.preference)
    ]
    if errors := [Invalid(error) for _, term in found for error in term.errors]:
        raise Invalid(aggregate(errors))
    return PreferredTerms(tuple(found))


def _is_empty(term: objects.NodeSelectorTerm) -> bool:
    return not term.match_expressions and not term.match_fields


def node_term(term: objects.NodeSelectorTerm, path: str = "") -> NodeTerm:
    prefix = f"{path}." if path else ""
    labels, errors = _parsed(term.match_expressions, f"{prefix}matchExpressions", _label_requirement)
    fields, field_errors = _parsed(term.match_fields, f"{prefix}matchFields", _field_requirement)
    if errors or field_errors:
        return NodeTerm(errors=tuple(part for error in errors + field_errors for part in error.parts))
    return NodeTerm(EVERYTHING.adding(*labels), tuple(fields))


def _parsed(
    expressions: Sequence[objects.LabelSelectorRequirement] | None, path: str, parse: _Parse
) -> tuple[list[Requirement], list[Invalid]]:
    found, errors = [], []
    for number, expression in enumerate(expressions or ()):
        try:
            found.append(parse(expression, f"{path}[{number}]"))
        except Invalid as error:
            errors.append(error)
    return found, errors


def _label_requirement(expression: objects.LabelSelectorRequirement, path: str) -> Requirement:
    operator = _OPERATORS.get(expression.operator)
    if operator is None:
        raise Invalid(syntax.unsupported(expression.operator, tuple(_OPERATORS)), f"{path}.operator")
    return requirement(expression.key, operator, expression.values, path)


def _field_requirement(expression: objects.LabelSelectorRequirement, path: str) -> Requirement:
    operator = _FIELD_OPERATORS.get(expression.operator)
    if operator is None:
        raise Invalid(syntax.unsupported(expression.operator, tuple(_FIELD_OPERATORS)), f"{path}.operator")
    if len(expression.values or ()) != 1:
        raise Invalid(syntax.invalid(expression.values, "must have one element"), f"{path}.values")
    return Requirement(expression.key, operator, tuple(expression.values or ()))
