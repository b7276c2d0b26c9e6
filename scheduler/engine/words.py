"""Numbers and lists inside English sentences."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 node`, `2 nodes`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(words: Sequence[str], conjunction: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"
