"""YAML read event by event: bounded aliases and nesting, repeated keys told, the lines of list items remembered."""

import copy
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from scheduler.manifests.faults import Fault, FileError
from scheduler.manifests.items import Item
from scheduler.manifests.limits import Limits
from scheduler.manifests.locate import field_line
from scheduler.manifests.scalars import resolve

CORE = "tag:yaml.org,2002:"
_BREAK = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_TABLE = re.compile(r"\s*(?:Name: {2,}\S|(?:NAMESPACE|NAME|LAST SEEN) {2,}[A-Z])")  # kubectl describe, kubectl get
Mark = tuple[int, int]


class _BrokenError(Exception):
    """A bound was broken or a notation is not supported; the rest of the file cannot be read."""

    def __init__(self, mark: Any, message: str) -> None:
        super().__init__(message)
        self.line = mark.line + 1
        self.message = message


class _Text:
    """The lines of a file, to show a part of it to `field_line` as if it stood alone."""

    def __init__(self, text: str) -> None:
        self.lines = _BREAK.split(text)

    def line(self, start: Mark, end: int, path: str) -> int:
        first, column = start
        part = self.lines[first:end] or [""]
        part[0] = " " * column + part[0][column:]
        return first + 1 + (field_line("\n".join(part), path) if path else 0)


class _Builder:
    """Makes plain values of the events of one file."""

    def __init__(self, text: str, limits: Limits) -> None:
        # PyYAML's stubs have marks that may be None and events without what only some have: hence Any.
        self.events: Iterator[Any] = yaml.parse(text, Loader=yaml.CSafeLoader)
        self.limits = limits
        self.aliases = self.values = self.alias_values = 0
        self.anchors: dict[str, tuple[Any, int] | None] = {}
        self.repeated: list[tuple[int, str]] = []
        self.starts: list[Mark] = []  # of the elements of the document's `items`
        self.end = 0

    def documents(self) -> Iterator[tuple[Any, Mark]]:
        for event in self.events:
            if isinstance(event, StreamEndEvent):
                return
            if isinstance(event, DocumentStartEvent):
                self.anchors, self.repeated, self.starts = {}, [], []
                first = next(self.events)
                start = place(first)
                yield self.value(first, 1), start

    def value(self, event: Any, level: int) -> Any:
        self.end = last_line(event)
        if isinstance(event, AliasEvent):
            return self.alias(event)
        if level > self.limits.nesting:
            raise _BrokenError(event.start_mark, f"nested too deeply, expected at most {self.limits.nesting} levels")
        before, anchor = self.values, event.anchor
        self.values += 1
        if anchor is not None:
            self.anchors[anchor] = None
        built = self.scalar(event) if isinstance(event, ScalarEvent) else self.collection(event, level)
        if anchor is not None:
            self.anchors[anchor] = built, self.values - before
        return built

    def collection(self, event: Any, level: int) -> Any:
        if event.tag not in (None, "!", CORE + "map", CORE + "seq"):
            raise _BrokenError(event.start_mark, f"the tag {event.tag} is not supported, expected plain YAML")
        if isinstance(event, MappingStartEvent):
            return self.mapping(level)
        if isinstance(event, SequenceStartEvent):
            return self.sequence(level)
        raise _BrokenError(event.start_mark, "expected a value")

    def mapping(self, level: int) -> dict[str, Any]:
        built: dict[str, Any] = {}
        lines: dict[str, int] = {}
        merged: list[Any] = []
        for event in self.events:
            if isinstance(event, MappingEndEvent):
                self.end = last_line(event)
                break
            key = self.key(event)
            if key == "<<" and event.implicit[0]:
                merged.append((event, self.value(next(self.events), level + 1)))
                continue
            if key in lines:
                message = f'the key "{key}" was given in line {lines[key]}, expected each key once'
                self.repeated.append((event.start_mark.line + 1, message))
            lines[key] = event.start_mark.line + 1
            following = next(self.events)
            listed = level == 1 and key == "items" and isinstance(following, SequenceStartEvent)
            built[key] = self.items() if listed else self.value(following, level + 1)
        for event, value in merged:
            self.merge(built, event, value)
        return built

    def key(self, event: Any) -> str:
        if not isinstance(event, ScalarEvent):
            raise _BrokenError(event.start_mark, "a key is not a plain word, expected text")
        if event.anchor is not None:
            self.anchors[event.anchor] = event.value, 1
        return self.checked(event)

    def merge(self, built: dict[str, Any], event: Any, value: Any) -> None:
        for mapping in value if isinstance(value, list) else [value]:
            if not isinstance(mapping, dict):
                raise _BrokenError(
                    event.start_mark, "`<<` merges something that is no mapping, expected an alias of one"
                )
            for key, inner in mapping.items():
                built.setdefault(key, inner)

    def sequence(self, level: int) -> list[Any]:
        built = []
        for event in self.events:
            if isinstance(event, SequenceEndEvent):
                break
            built.append(self.value(event, level + 1))
        return built

    def items(self) -> list[Any]:
        built = []
        for event in self.events:
            if isinstance(event, SequenceEndEvent):
                self.starts.append(place(event))
                break
            self.starts.append(place(event))
            built.append(self.value(event, 3))
        return built

    def scalar(self, event: Any) -> Any:
        text = self.checked(event)
        if event.tag in (None, "!", CORE + "str"):
            return resolve(text) if event.implicit[0] and event.tag is None else text
        if event.tag in (CORE + "int", CORE + "float", CORE + "bool", CORE + "null"):
            return resolve(text)
        raise _BrokenError(event.start_mark, f"the tag {event.tag} is not supported, expected plain YAML")

    def checked(self, event: Any) -> str:
        if "\0" in event.value:
            raise _BrokenError(
                event.start_mark, "a text holds the character U+0000, which no Kubernetes object may hold"
            )
        text: str = event.value
        return text

    def alias(self, event: Any) -> Any:
        """A copy, so that a change of one object never changes another."""
        self.aliases += 1
        known = self.anchors.get(event.anchor, ...)
        if known is ...:
            raise _BrokenError(
                event.start_mark, f"the alias *{event.anchor} has no anchor, expected &{event.anchor} before it"
            )
        if known is None:
            raise _BrokenError(event.start_mark, f"the alias *{event.anchor} stands inside what it names")
        value, size = known
        self.values += size
        self.alias_values += size
        if self.aliases > self.limits.aliases or self.alias_values > self.limits.alias_values:
            raise _BrokenError(event.start_mark, f"too many aliases, expected at most {self.limits.aliases} with "
                          f"{self.limits.alias_values} values")  # fmt: skip
        return copy.deepcopy(value)


def place(event: Any) -> Mark:
    return event.start_mark.line, event.start_mark.column


def last_line(event: Any) -> int:
    """Lines up to the end of what the event closes. A block ends where the next thing begins: not on that line."""
    line: int = event.end_mark.line
    return line if event.end_mark.column == 0 else line + 1


def read_yaml(name: str, text: str, limits: Limits) -> Iterator[Item]:
    """Raises FileError where the text is not YAML; documents before that place were given already."""
    lines = _Text(text)
    try:
        builder = _Builder(text, limits)
        found = False
        for value, start in builder.documents():
            if value is not None:
                found = True
                yield from _items(name, lines, builder, value, start)
        if not found:
            raise FileError(Fault(name, 0, "holds no object, expected Kubernetes objects as YAML or JSON"))
    except _BrokenError as broken:
        raise FileError(Fault(name, broken.line, broken.message)) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = ", ".join(part for part in (error.context, error.problem) if part)
        raise FileError(
            Fault(name, mark.line + 1 if mark else 0, f"malformed YAML: {said}{_advice(text, lines, mark)}")
        ) from None
    except yaml.YAMLError as error:
        raise FileError(Fault(name, 0, f"malformed YAML: {' '.join(str(error).split())}")) from None


def _advice(text: str, lines: _Text, mark: Any) -> str:
    """What to do about a file that is no YAML at all, or about the mistake that nobody sees."""
    if _TABLE.match(text):
        return "; this is what kubectl prints for people: save it with -o yaml or -o json"
    line = lines.lines[mark.line] if mark and mark.line < len(lines.lines) else ""
    return "; indent with blanks, not with tabs" if "\t" in line[: len(line) - len(line.lstrip())] else ""


def _items(name: str, lines: _Text, builder: _Builder, value: Any, start: Mark) -> Iterator[Item]:
    kind = value.get("kind") if isinstance(value, dict) else None
    listed = bool(builder.starts) and (kind is None or str(kind).endswith("List"))
    if not listed:
        yield Item(value, name, partial(lines.line, start, builder.end), faults=builder.repeated)
        return
    default = str(kind or "").removesuffix("List")
    version = str(value.get("apiVersion") or "") if default else ""
    for index, inner in enumerate(value["items"]):
        begin, end = builder.starts[index], builder.starts[index + 1][0]
        end = max(end, begin[0] + 1)
        faults = [fault for fault in builder.repeated if begin[0] < fault[0] <= end]
        yield Item(inner, name, partial(lines.line, begin, end), default, version, faults)
    outside = [fault for fault in builder.repeated if not builder.starts[0][0] < fault[0] <= builder.starts[-1][0]]
    if outside:
        raise FileError(Fault(name, *outside[0]))
