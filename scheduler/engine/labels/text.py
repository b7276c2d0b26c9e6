"""The text form of a selector, `app in (web,db),!legacy,cores>4`. Source: apimachinery labels/selector.go v0.34.1."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from scheduler.engine.errors import Invalid
from scheduler.engine.labels.selector import (
    DOES_NOT_EXIST,
    DOUBLE_EQUALS,
    EQUALS,
    EXISTS,
    GREATER_THAN,
    IN,
    LESS_THAN,
    NOT_EQUALS,
    NOT_IN,
    Requirement,
    Selector,
    requirement,
)
from scheduler.engine.values import syntax

_OPERATORS = {
    "in": IN,
    "notin": NOT_IN,
    "=": EQUALS,
    "==": DOUBLE_EQUALS,
    "!=": NOT_EQUALS,
    ">": GREATER_THAN,
    "<": LESS_THAN,
}
_TOKEN = re.compile(r"==|!=|[=!(),<>]|[^=!(),<>\s]+")
_IDENTIFIER: Final = "identifier"


class _Token(NamedTuple):
    kind: str
    text: str


_END = _Token("", "")


def parse(text: str) -> Selector:
    """The selector of its text form; "" selects everything. Raises Invalid with Kubernetes' texts."""
    return _Parser(text).parse()


class _Parser:
    """Recursive descent. `in` and `notin` are operators only where an operator is expected, else ordinary names."""

    def __init__(self, text: str) -> None:
        words = _TOKEN.findall(text)
        self.tokens = [_Token(_IDENTIFIER if word[0] not in "=!(),<>" else word, word) for word in words]
        self.position = 0

    def peek(self) -> _Token:
        return self.tokens[self.position] if self.position < len(self.tokens) else _END

    def take(self) -> _Token:
        token = self.peek()
        self.position += 1
        return token

    def parse(self) -> Selector:
        found: list[Requirement] = []
        while (token := self.peek()) is not _END:
            if token.kind not in (_IDENTIFIER, "!"):
                raise Invalid(f"found '{token.text}', expected: !, identifier, or 'end of string'")
            found.append(self.requirement())
            self.separator()
        return Selector(tuple(sorted(found, key=lambda one: one.key)))

    def separator(self) -> None:
        token = self.take()
        if token is _END:
            return
        if token.kind != ",":
            raise Invalid(f"found '{token.text}', expected: ',' or 'end of string'")
        if self.peek().kind not in (_IDENTIFIER, "!"):
            raise Invalid(f"found '{self.peek().text}', expected: identifier after ','")

    def requirement(self) -> Requirement:
        try:
            return self.unwrapped_requirement()
        except Invalid as error:
            raise Invalid(f"unable to parse requirement: {error}") from None

    def unwrapped_requirement(self) -> Requirement:
        token = self.take()
        is_negated = token.kind == "!"
        if is_negated:
            token = self.take()
        if token.kind != _IDENTIFIER:
            raise Invalid(f"found '{token.text}', expected: identifier")
        if complaints := syntax.qualified_name(token.text):
            raise Invalid(syntax.invalid(token.text, "; ".join(complaints)), "<nil>")
        if is_negated:
            return requirement(token.text, DOES_NOT_EXIST, [])
        if self.peek().kind in ("", ","):
            return requirement(token.text, EXISTS, [])
        operator = self.operator()
        values = self.values() if operator in (IN, NOT_IN) else [self.exact_value()]
        return requirement(token.text, operator, values)

    def operator(self) -> str:
        token = self.take()
        if token.text not in _OPERATORS:
            raise Invalid(f"found '{token.text}', expected: in, notin, =, ==, !=, gt, lt")
        return _OPERATORS[token.text]

    def exact_value(self) -> str:
        if self.peek().kind in ("", ","):
            return ""
        token = self.take()
        if token.kind != _IDENTIFIER:
            raise Invalid(f"found '{token.text}', expected: identifier")
        return token.text

    def values(self) -> list[str]:
        """`(a,b)` without repetitions, sorted; an omitted value (`()`, `(a,)`) is the empty string."""
        token = self.take()
        if token.kind != "(":
            raise Invalid(f"found '{token.text}' expected: '('")
        if self.peek().kind not in (_IDENTIFIER, ",", ")"):
            raise Invalid(f"found '{self.peek().text}', expected: ',', ')' or identifier")
        values = {self.listed_value()}
        while (token := self.take()).kind == ",":
            values.add(self.listed_value())
        if token.kind != ")":
            raise Invalid(f"found '{token.text}', expected: ',' or ')'")
        return sorted(values)

    def listed_value(self) -> str:
        if self.peek().kind in (",", ")"):
            return ""
        token = self.take()
        if token.kind != _IDENTIFIER:
            raise Invalid(f"found '{token.text}', expected: ',', or identifier")
        return token.text
