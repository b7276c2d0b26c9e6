"""Names in drawings, where there is room for few letters: what is left out is what tells them least apart."""

from collections.abc import Mapping, Sequence

from dashboard.text import begin_alike
from scheduler.engine.words import count

LETTERS, TOLD = 17, 12


def fitted(name: str) -> str:
    """Its beginning and its end, as names mostly differ there."""
    half = LETTERS // 2
    return name if len(name) <= LETTERS else f"{name[:half]}…{name[-half:]}"


def apart(names: Sequence[str]) -> list[str]:
    """All of them fitted; where that makes two alike, without what all of them begin with."""
    found = [fitted(name) for name in names]
    if len(set(found)) == len(set(names)):
        return found
    first = begin_alike(names)
    return [f"…{name[first : first + LETTERS - 2]}{'…' if len(name) > first + LETTERS - 2 else ''}" for name in names]


def numbered(numbers: Mapping[str, int]) -> str:
    """`a 2, b 1 and 3 more subsets`."""
    told = ", ".join(f"{name} {number}" for name, number in list(numbers.items())[:TOLD])
    more = len(numbers) - TOLD
    return f"{told} and {count(more, 'more subset')}" if more > 0 else told
