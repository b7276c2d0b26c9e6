"""Where the values of a JSON text lie, found without decoding them: the items of a list one by one, in little room."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from scheduler.manifests.sources import Data, release

Found = Callable[[int], None]
"""Called now and then with the number of items found in the value."""

TRUNCATED = "truncated"
BYTE = re.compile(r"\(byte (\d+)\)")
_SPACE = re.compile(rb"[ \t\n\r]*+")
_WINDOW = 64 << 10
_TOLD_EVERY = 500
_RELEASED_EVERY = 8 << 20


class UnexpectedError(Exception):
    """The text is not the JSON object that it seemed to be."""


@dataclass(slots=True)
class Value:
    """A value from byte `start` to `end`. `starts`/`ends`: of its items, if it is an object that has any."""

    start: int
    end: int = 0
    has_items: bool = False
    starts: array[int] = field(default_factory=lambda: array("Q"))
    ends: array[int] = field(default_factory=lambda: array("Q"))
    words: dict[str, object] = field(default_factory=dict)  # its `kind` and `apiVersion`


def value_at(data: Data, start: int, found: Found) -> Value:
    """Raises msgspec.DecodeError or UnexpectedError where the text is not JSON, RecursionError where it is too deep."""
    value = Value(start)
    with memoryview(data) as view:
        scan = _Scan(data, view, found)
        if data[start : start + 1] == b"{":
            value.end = scan.members(value)
            found(len(value.ends))
        else:
            value.end = scan.end_of(start)
    return value


class _Scan:
    def __init__(self, data: Data, view: memoryview, found: Found) -> None:
        self.data, self.view, self.found = data, view, found
        self.released = 0

    def end_of(self, start: int) -> int:
        """The decoder itself says where a value ends: where it is surprised that something follows."""
        size = _WINDOW
        while True:
            whole = start + size >= len(self.view)
            try:
                msgspec.json.decode(self.view[start : start + size], type=msgspec.Raw)
                if whole:
                    return len(self.view)
            except msgspec.DecodeError as error:
                at = BYTE.search(str(error))
                if at and "trailing characters" in str(error):
                    return start + int(at[1]) - 1  # it counts the byte that it has read already
                if whole or TRUNCATED not in str(error):
                    raise
            size *= 4

    def members(self, value: Value) -> int:
        at = self.space(value.start + 1)
        if self.data[at : at + 1] == b"}":
            return at + 1
        while True:
            end = self.end_of(at)
            key = msgspec.json.decode(self.data[at:end])
            at = self.space(self.sign(self.space(end), b":"))
            at = self.space(self.member(value, key, at))
            if self.data[at : at + 1] == b"}":
                return at + 1
            at = self.space(self.sign(at, b","))

    def member(self, value: Value, key: object, at: int) -> int:
        if key == "items":
            value.has_items = self.data[at : at + 1] == b"["
            if value.has_items:
                return self.items(value, at)
        end = self.end_of(at)
        if key in ("kind", "apiVersion"):
            value.words[str(key)] = msgspec.json.decode(self.data[at:end])
        return end

    def items(self, value: Value, at: int) -> int:
        del value.starts[:], value.ends[:]
        at = self.space(at + 1)
        if self.data[at : at + 1] == b"]":
            return at + 1
        while True:
            value.starts.append(at)
            end = self.end_of(at)
            value.ends.append(end)
            self.tell(len(value.ends), end)
            at = self.space(end)
            if self.data[at : at + 1] == b"]":
                return at + 1
            at = self.space(self.sign(at, b","))

    def tell(self, count: int, end: int) -> None:
        if count % _TOLD_EVERY == 0:
            self.found(count)
        if end - self.released > _RELEASED_EVERY:
            release(self.data, end)
            self.released = end

    def space(self, at: int) -> int:
        match = _SPACE.match(self.data, at)
        return match.end() if match else at

    def sign(self, at: int, expected: bytes) -> int:
        if self.data[at : at + 1] != expected:
            raise UnexpectedError
        return at + 1
