"""The lines around the faults of a case file, in the shape in which the pages of an import show them."""

from __future__ import annotations

from dataclasses import dataclass, field

from scheduler.manifests.faults import Fault

LINES_BEFORE, WIDTH = 2, 200


@dataclass(frozen=True)
class Told:
    """A fault as the template shows it. `excerpt`: numbered lines, the last the one that is meant."""

    message: str
    file: str = ""
    line: int = 0
    object: str = ""
    excerpt: list[tuple[int, str]] = field(default_factory=list)


def told_with_lines(text: str, faults: list[Fault]) -> list[Told]:
    lines = text.split("\n")
    return [
        Told(one.message, one.file, one.line, one.object, _around(lines, one.line) if one.line else [])
        for one in faults
    ]


def _around(lines: list[str], line: int) -> list[tuple[int, str]]:
    first = max(1, line - LINES_BEFORE)
    return [(number, lines[number - 1][:WIDTH]) for number in range(first, min(line, len(lines)) + 1)]
