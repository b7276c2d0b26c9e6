"""JSON: one value, several after one another, or separated by `---`. Lists are cut into items, then decoded."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import msgspec

from scheduler.manifests.faults import Fault, FileError
from scheduler.manifests.items import Item
from scheduler.manifests.limits import Limits
from scheduler.manifests.locate import field_line, repeated_key
from scheduler.manifests.sources import Data
from scheduler.manifests.text import line_at

# `kubectl cluster-info dump` puts containers' logs between its lists.
_LOGS = rb"==== START logs[^\n]*\n(?s:.)*?(?:==== END logs[^\n]*(?:\n|\Z)|\Z)"
# Possessive: what is between has no bound, and every place to go back to would cost memory.
_BETWEEN = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s++|---[^\S\n]*(?:\n|\Z)|#[^\n]*(?:\n|\Z)|" + _LOGS + rb")*+")
_BYTE = re.compile(r"\(byte (\d+)\)")
_EXPLAINED_BYTES = 32 << 20
TOO_DEEP = "nested too deeply, expected at most {} levels"
_NUL = b"\\u0000"
_SPACED_COLONS = (b'" :', b'"\t:', b'"\n:', b'"\r:')


class _Head(msgspec.Struct, rename="camel"):
    """Enough of a value to know whether it is a list: its items stay bytes."""

    items: list[msgspec.Raw]
    kind: str | None = None
    api_version: str | None = None


@dataclass
class _Document:
    """A value of the file and the bytes of its items; lines are counted only when a fault asks."""

    data: Data
    start: int
    raws: list[msgspec.Raw]

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Byte and line of each item, all found in one pass."""
        found, at, line = [], self.start, line_at(self.data, self.start)
        for raw in self.raws:
            text = bytes(raw)
            begin = self.data.find(text, at)
            line += self.data[at:begin].count(b"\n")
            found.append((begin, line))
            at, line = begin + len(text), line + text.count(b"\n")
        return found

    def line(self, index: int, path: str) -> int:
        text = bytes(self.raws[index]).decode(errors="replace") if path else ""
        return self.places[index][1] + field_line(text, path)


def read_json(name: str, data: Data, limits: Limits) -> Iterator[Item]:
    """Raises FileError where the text is not JSON; items before that place were given already."""
    view = memoryview(data)
    start = _skip(data, 0)
    while start < len(data):
        end = _end_of_value(name, data, view, start, limits)
        yield from _items(name, data, view[start:end], start, limits)
        start = _skip(data, end)


def _skip(data: Data, start: int) -> int:
    match = _BETWEEN.match(data, start)
    return match.end() if match else start


def _end_of_value(name: str, data: Data, view: memoryview, start: int, limits: Limits) -> int:
    try:
        msgspec.json.decode(view[start:], type=msgspec.Raw)
    except msgspec.DecodeError as error:
        at = _BYTE.search(str(error))
        if at and "trailing characters" in str(error):
            return start + int(at[1]) - 1  # msgspec counts the byte that it has read already
        raise _malformed(name, data, view[start:], start, error) from None
    except RecursionError:
        raise FileError(Fault(name, line_at(data, start), TOO_DEEP.format(limits.nesting))) from None
    return len(data)


def _items(name: str, data: Data, value: memoryview, start: int, limits: Limits) -> Iterator[Item]:
    try:
        head = msgspec.json.decode(value, type=_Head)
    except (msgspec.DecodeError, RecursionError):
        head = None
    if head is None or not (head.kind is None or head.kind.endswith("List")):
        document = _Document(data, start, [msgspec.Raw(value)])
        yield _item(name, document, 0, limits)
        return
    document = _Document(data, start, head.items)
    kind = (head.kind or "").removesuffix("List")
    for index in range(len(head.items)):
        item = _item(name, document, index, limits)
        item.default_kind, item.default_api_version = kind, (head.api_version or "") if kind else ""
        yield item


def _item(name: str, document: _Document, index: int, limits: Limits) -> Item:
    raw = document.raws[index]
    try:
        value = msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise _malformed(name, document.data, memoryview(raw), document.places[index][0], error) from None
    except RecursionError:
        raise FileError(Fault(name, document.line(index, ""), TOO_DEEP.format(limits.nesting))) from None
    item = Item(value, name, partial(document.line, index))
    text = bytes(raw)
    if fault := _unfit(text, value, limits):
        item.value, item.faults = _harmless(value), [(document.line(index, ""), fault)]
    elif _may_repeat_keys(text, value) and (repeated := repeated_key(text.decode())):
        line, first, key = repeated
        here = document.line(index, "")
        item.faults = [(here + line, f'the key "{key}" was given in line {here + first}, expected each key once')]
    return item


def _may_repeat_keys(raw: bytes, value: Any) -> bool:
    """The reader keeps the last of equal keys. Written again, such a value has fewer of them."""
    if any(raw.count(oddity) for oddity in _SPACED_COLONS):
        return True
    return raw.count(b'":') != msgspec.json.encode(value).count(b'":')


def _unfit(raw: bytes, value: Any, limits: Limits) -> str:
    """What no object may hold. Counting brackets first spares nearly all objects the walk."""
    if raw.count(b"{") + raw.count(b"[") > limits.nesting and depth(value) > limits.nesting:
        return TOO_DEEP.format(limits.nesting)
    if _NUL in raw and holds_nul(value):
        return "a text holds the character U+0000, which no Kubernetes object may hold"
    try:
        msgspec.msgpack.encode(value)
    except OverflowError:
        return "a number is too large, expected at most 64 bits"
    return ""


def _harmless(value: Any) -> Any:
    """As much of an unfit object as its fault needs: its kind and name."""
    if not isinstance(value, dict):
        return {}
    metadata = value.get("metadata")
    names = metadata if isinstance(metadata, dict) else {}
    kept = {key: names[key] for key in ("namespace", "name") if isinstance(names.get(key), str)}
    return {key: value[key] for key in ("apiVersion", "kind") if isinstance(value.get(key), str)} | {"metadata": kept}


def depth(value: Any) -> int:
    level, layer = 0, [value]
    while layer:
        level += 1
        containers = [child for child in layer if isinstance(child, (dict, list))]
        layer = [inner for child in containers for inner in (child.values() if isinstance(child, dict) else child)]
    return level


def holds_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any("\0" in key or holds_nul(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(holds_nul, value))


def _malformed(name: str, data: Data, view: memoryview, start: int, error: msgspec.DecodeError) -> FileError:
    """Python's own parser names what it expected; it is asked where the text is not too long."""
    at = _BYTE.search(str(error))
    offset, message = (int(at[1]) - 1 if at else len(view)), str(error).removeprefix("JSON is malformed: ")
    message = _BYTE.sub("", message).strip()
    if len(view) <= _EXPLAINED_BYTES:
        try:
            json.loads(bytes(view))
        except json.JSONDecodeError as better:
            text = bytes(view).decode(errors="replace")
            offset, message = len(text[: better.pos].encode()), _said(better.msg)
        except (UnicodeDecodeError, RecursionError, ValueError):
            message = "not UTF-8 text" if "utf-8" in message.lower() else message
    return FileError(Fault(name, line_at(data, start + offset), f"malformed JSON: {message}"))


def _said(message: str) -> str:
    if message.startswith("Expecting "):
        return "expected " + message.removeprefix("Expecting ").removesuffix(" enclosed in double quotes")
    return message[0].lower() + message[1:]
