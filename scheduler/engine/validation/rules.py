"""Small building blocks of validation: each yields the faults of one field under its path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from scheduler.engine.errors import Invalid
from scheduler.engine.values import syntax

MAX_INT32 = 2**31 - 1
_WHERE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?$", re.DOTALL)


def fault(path: str, value: object, complaint: str) -> Invalid:
    return Invalid(syntax.invalid(value, complaint), path)


def wrong_type(error: msgspec.ValidationError) -> Invalid:
    found = _WHERE.match(str(error))
    assert found is not None
    return Invalid(found["what"], found["path"] or "")


def required(path: str, detail: str = "") -> Invalid:
    return Invalid(f"Required value: {detail}" if detail else "Required value", path)


def forbidden(path: str, detail: str) -> Invalid:
    return Invalid(f"Forbidden: {detail}", path)


def duplicate(path: str, value: object) -> Invalid:
    return Invalid(f"Duplicate value: {syntax.quoted(value)}", path)


def spelled(path: str, text: str, rule: Callable[[str], Sequence[str]]) -> Iterator[Invalid]:
    """`rule`: one of `syntax`'s functions."""
    yield from (fault(path, text, complaint) for complaint in rule(text))


def one_of(path: str, value: str | None, supported: tuple[str, ...]) -> Iterator[Invalid]:
    """An absent or empty value is fine; where it is not, say `required` first."""
    if value and value not in supported:
        yield Invalid(syntax.unsupported(value, supported), path)


def in_range(path: str, value: int | None, least: int, most: int = MAX_INT32) -> Iterator[Invalid]:
    if value is not None and not least <= value <= most:
        yield fault(path, value, f"must be between {least} and {most}, inclusive")


def unique(path: str, values: Sequence[object], field: str = "") -> Iterator[Invalid]:
    """Each value may occur once; faults stand at the index of the repetition."""
    for number, value in enumerate(values):
        if value in values[:number]:
            yield duplicate(f"{path}[{number}]{field}", value)
