"""Names in drawings, where there is room for few letters: what is left out is what tells them least apart."""

from collections.abc import Sequence
from itertools import takewhile

LETTERS = 17


def fitted(name: str) -> str:
    """Its beginning and its end, as names mostly differ there."""
    half = LETTERS // 2
    return name if len(name) <= LETTERS else f"{name[:half]}…{name[-half:]}"


def apart(names: Sequence[str]) -> list[str]:
    """All of them fitted; where that makes two alike, without what all of them begin with."""
    found = [fitted(name) for name in names]
    if len(set(found)) == len(set(names)):
        return found
    first = sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False)))
    return [f"…{name[first : first + LETTERS - 2]}{'…' if len(name) > first + LETTERS - 2 else ''}" for name in names]
