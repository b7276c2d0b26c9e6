"""Label selectors, compiled once and compared by content. Source: apimachinery labels/selector.go v0.34.1."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from scheduler.engine import objects
from scheduler.engine.errors import Invalid
from scheduler.engine.values import syntax

IN: Final = "in"
NOT_IN: Final = "notin"
EXISTS: Final = "exists"
DOES_NOT_EXIST: Final = "!"
EQUALS: Final = "="
DOUBLE_EQUALS: Final = "=="
NOT_EQUALS: Final = "!="
GREATER_THAN: Final = "gt"
LESS_THAN: Final = "lt"

_POSITIVE = (IN, EQUALS, DOUBLE_EQUALS)
_NEGATIVE = (NOT_IN, NOT_EQUALS)
_SPELLING = {EQUALS: "=", DOUBLE_EQUALS: "==", NOT_EQUALS: "!=", GREATER_THAN: ">", LESS_THAN: "<"}
_LABEL_SELECTOR_OPERATORS = {"In": IN, "NotIn": NOT_IN, "Exists": EXISTS, "DoesNotExist": DOES_NOT_EXIST}
_INTEGER = re.compile(r"[-+]?[0-9]+", re.ASCII)


def integer(text: str) -> int | None:
    """A base-10 int64 as Go's ParseInt reads it, None if it is none."""
    if not _INTEGER.fullmatch(text) or len(text) > 64:
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


@dataclass(frozen=True, slots=True)
class Requirement:
    """`key operator values`. Values keep their order; equality is by content."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        value = labels.get(self.key)
        if self.operator in _POSITIVE:
            return value is not None and value in self.values
        if self.operator in _NEGATIVE:
            return value is None or value not in self.values
        if self.operator == EXISTS:
            return value is not None
        if self.operator == DOES_NOT_EXIST:
            return value is None
        return value is not None and self._compares(value)

    def _compares(self, value: str) -> bool:
        number, bound = integer(value), integer(self.values[0])
        if number is None or bound is None:
            return False
        return number > bound if self.operator == GREATER_THAN else number < bound

    def __str__(self) -> str:
        if self.operator == EXISTS:
            return self.key
        if self.operator == DOES_NOT_EXIST:
            return f"!{self.key}"
        if self.operator in (IN, NOT_IN):
            return f"{self.key} {self.operator} ({','.join(sorted(self.values))})"
        return f"{self.key}{_SPELLING[self.operator]}{self.values[0]}"


@dataclass(frozen=True, slots=True)
class Selector:
    """All requirements must hold; none at all matches everything. `nothing` matches no labels whatever.

    Hashable and equal by content, so that pods of one shape share counts and verdicts.
    """

    requirements: tuple[Requirement, ...] = ()
    nothing: bool = False
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.requirements, self.nothing)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process has other hashes."""
        return Selector, (self.requirements, self.nothing)

    @property
    def is_empty(self) -> bool:
        """Whether it places no requirement (an empty selector, but not the one of a missing object)."""
        return not self.requirements and not self.nothing

    def matches(self, labels: Mapping[str, str]) -> bool:
        if self.nothing:
            return False
        return all(requirement.matches(labels) for requirement in self.requirements)

    def adding(self, *requirements: Requirement) -> Selector:
        """This and more; adding to `NOTHING` leaves it nothing."""
        return self if self.nothing else Selector(_sorted((*self.requirements, *requirements)))

    def __str__(self) -> str:
        return ",".join(map(str, self.requirements))


EVERYTHING = Selector()
NOTHING = Selector(nothing=True)


def requirement(key: str, operator: str, values: Sequence[str] | None, path: str = "") -> Requirement:
    """A checked requirement. `path`: where it stands. Raises Invalid, whose message lists every complaint."""
    prefix = f"{path}." if path else ""
    errors = [
        Invalid(syntax.invalid(key, "; ".join(why)), f"{prefix}key") for why in [syntax.qualified_name(key)] if why
    ]
    errors += _value_errors(operator, values, f"{prefix}values")
    for number, value in enumerate(values or ()):
        if complaints := syntax.label_value(value):
            errors.append(Invalid(syntax.invalid(value, "; ".join(complaints)), f"{prefix}values[{number}][{key}]"))
    if errors:
        raise Invalid.all_of(errors)
    return Requirement(key, operator, tuple(values or ()))


def _value_errors(operator: str, values: Sequence[str] | None, path: str) -> list[Invalid]:
    complaint, count = "", len(values or ())
    if operator in (IN, NOT_IN) and not count:
        complaint = "for 'in', 'notin' operators, values set can't be empty"
    elif operator in (EQUALS, DOUBLE_EQUALS, NOT_EQUALS) and count != 1:
        complaint = "exact-match compatibility requires one single value"
    elif operator in (EXISTS, DOES_NOT_EXIST) and count:
        complaint = "values set must be empty for exists and does not exist"
    elif operator in (GREATER_THAN, LESS_THAN) and count != 1:
        complaint = "for 'Gt', 'Lt' operators, exactly one value is required"
    errors = [Invalid(syntax.invalid(values, complaint), path)] if complaint else []
    if operator in (GREATER_THAN, LESS_THAN):
        wrong = "for 'Gt', 'Lt' operators, the value must be an integer"
        errors += [
            Invalid(syntax.invalid(value, wrong), f"{path}[{number}]")
            for number, value in enumerate(values or ())
            if integer(value) is None
        ]
    return errors


def label_selector(selector: objects.LabelSelector | None) -> Selector:
    """The selector of an API object: None selects nothing, an empty one everything. Raises Invalid."""
    if selector is None:
        return NOTHING
    found = [requirement(key, EQUALS, [value]) for key, value in sorted((selector.match_labels or {}).items())]
    for expression in selector.match_expressions or ():
        operator = _LABEL_SELECTOR_OPERATORS.get(expression.operator)
        if operator is None:
            raise Invalid(f"{syntax.quoted(expression.operator)} is not a valid label selector operator")
        found.append(requirement(expression.key, operator, expression.values or None))
    return Selector(_sorted(found))


def map_selector(labels: Mapping[str, str] | None) -> Selector:
    """Each `key=value` must hold, unchecked, as in a nodeSelector or Service. Empty or None selects everything."""
    return Selector(tuple(Requirement(key, EQUALS, (value,)) for key, value in sorted((labels or {}).items())))


def _sorted(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    return tuple(sorted(requirements, key=lambda one: one.key))
