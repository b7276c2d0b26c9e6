"""What is wrong with a file: told by file and line, collected up to a bound, sorted as a person reads."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Fault:
    """`line` counts from 1; 0 means the whole file. `object`: what it is about, e.g. `Pod shop/web-1`, if known."""

    file: str
    line: int
    message: str
    object: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"error: {place}: {self.object + ': ' if self.object else ''}{self.message}"


class FileError(Exception):
    """A file (or the rest of it) that cannot be read at all."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class Faults:
    """Keeps the first `limit` faults and counts them all."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.count = 0
        self._kept: list[Fault] = []

    def __bool__(self) -> bool:
        return self.count > 0

    def __iter__(self) -> Iterator[Fault]:
        return iter(sorted(self._kept))

    @property
    def has_room(self) -> bool:
        return len(self._kept) < self.limit

    @property
    def untold(self) -> int:
        return self.count - len(self._kept)

    def add(self, fault: Fault) -> None:
        self.count += 1
        if self.has_room:
            self._kept.append(fault)
