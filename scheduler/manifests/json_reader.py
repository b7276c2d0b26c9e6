"""JSON: one value, several after one another, or separated by `---`. Lists are cut into items, then decoded."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any

import msgspec

from scheduler.manifests.faults import Fault, FileError
from scheduler.manifests.items import Item
from scheduler.manifests.json_scan import BYTE, TRUNCATED, Found, UnexpectedError, Value, value_at
from scheduler.manifests.limits import MIB, Limits
from scheduler.manifests.locate import field_line, repeated_key
from scheduler.manifests.sources import Data, release
from scheduler.manifests.text import line_at

# `kubectl cluster-info dump` puts containers' logs between its lists.
_LOGS = rb"==== START logs[^\n]*\n(?s:.)*?(?:==== END logs[^\n]*(?:\n|\Z)|\Z)"
# Possessive: what is between has no bound, and every place to go back to would cost memory.
_BETWEEN = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s++|---[^\S\n]*(?:\n|\Z)|#[^\n]*(?:\n|\Z)|" + _LOGS + rb")*+")
_RELEASED_EVERY = 8 << 20
_EXPLAINEDBYTES = 32 << 20
TOO_DEEP = "nested too deeply, expected at most {} levels"
_NUL = b"\\u0000"
_QUOTE = b"\\u0022"


class _Document:
    """A value of the file and its items; lines are counted only when a fault asks."""

    def __init__(self, data: Data, value: Value) -> None:
        self.data, self.value = data, value
        kind, version = value.words.get("kind"), value.words.get("apiVersion")
        words = all(isinstance(word, str | None) for word in (kind, version))
        self.is_list = value.has_items and words and (kind is None or str(kind).endswith("List"))
        self.starts = value.starts if self.is_list else [value.start]
        self.ends = value.ends if self.is_list else [value.end]
        self.default_kind = str(kind or "").removesuffix("List") if self.is_list else ""
        self.default_version = str(version or "") if self.default_kind else ""

    @cached_property
    def lines(self) -> array[int]:
        """Of each item, all counted in one pass."""
        found, at, line = array("Q"), 0, 1
        for start in self.starts:
            line += line_at(self.data, start, at) - 1
            found.append(line)
            at = start
            release(self.data, at)
        return found

    def raw(self, index: int) -> bytes:
        return self.data[self.starts[index] : self.ends[index]]

    def line(self, index: int, path: str) -> int:
        text = self.raw(index).decode(errors="replace") if path else ""
        return self.lines[index] + field_line(text, path)


def read_json(name: str, data: Data, limits: Limits, found: Found = lambda count: None) -> Iterator[Item]:
    """Raises FileError where the text is not JSON; items before that place were given already."""
    start = _skip(data, 0)
    while start < len(data):
        document = _document(name, data, start, limits, found)
        released = start
        for index, end in enumerate(document.ends):
            yield _item(name, document, index, limits)
            if end - released > _RELEASED_EVERY:
                release(data, end)
                released = end
        start = _skip(data, document.value.end)


def _skip(data: Data, start: int) -> int:
    match = _BETWEEN.match(data, start)
    return match.end() if match else start


def _document(name: str, data: Data, start: int, limits: Limits, found: Found) -> _Document:
    try:
        document = _Document(data, value_at(data, start, found))
    except RecursionError:
        raise FileError(Fault(name, line_at(data, start), TOO_DEEP.format(limits.nesting))) from None
    except (msgspec.DecodeError, UnexpectedError):
        raise _unreadable(name, data, start) from None
    for index, (first, last) in enumerate(zip(document.starts, document.ends, strict=True)):
        if last - first > limits.value_bytes:
            wanted = f"expected at most {limits.value_bytes // MIB} MiB that is not a list"
            raise FileError(
                Fault(name, document.line(index, ""), f"one value of {(last - first) // MIB} MiB, {wanted}")
            )
    return document


def _unreadable(name: str, data: Data, start: int) -> FileError:
    """Read once more as a whole, so that the decoder says where and why."""
    with memoryview(data) as view:
        try:
            msgspec.json.decode(view[start:], type=msgspec.Raw)
        except msgspec.DecodeError as error:
            return _malformed(name, data, view[start:], start, error)
    return FileError(Fault(name, line_at(data, start), "malformed JSON"))


def _item(name: str, document: _Document, index: int, limits: Limits) -> Item:
    raw = document.raw(index)
    try:
        value = msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        raise _malformed(name, document.data, memoryview(raw), document.starts[index], error) from None
    except RecursionError:
        raise FileError(Fault(name, document.line(index, ""), TOO_DEEP.format(limits.nesting))) from None
    item = Item(value, name, partial(document.line, index), document.default_kind, document.default_version)
    if fault := _unfit(raw, value, limits):
        item.value, item.faults = _harmless(value), [(document.line(index, ""), fault)]
    elif _may_repeat_keys(raw, value) and (repeated := repeated_key(raw.decode())):
        line, first, key = repeated
        here = document.line(index, "")
        item.faults = [(here + line, f'the key "{key}" was given in line {here + first}, expected each key once')]
    return item


def _may_repeat_keys(raw: bytes, value: Any) -> bool:
    """The reader keeps the last of equal keys. Written again, such a value has fewer quotes."""
    return _QUOTE in raw or raw.count(b'"') != msgspec.json.encode(value).count(b'"')


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
    at = BYTE.search(str(error))
    offset, message = (int(at[1]) - 1 if at else len(view)), str(error).removeprefix("JSON is malformed: ")
    message = BYTE.sub("", message).strip()
    is_truncated = TRUNCATED in str(error)
    if len(view) <= _EXPLAINEDBYTES:
        try:
            json.loads(bytes(view))
            is_truncated, message = False, "half of a surrogate pair stands alone"
        except json.JSONDecodeError as better:
            text = bytes(view).decode(errors="replace")
            offset, message = len(text[: better.pos].encode()), _said(better.msg)
        except (UnicodeDecodeError, RecursionError, ValueError):
            message = "not UTF-8 text" if "utf-8" in message.lower() else message
    if is_truncated:
        message = "the file ends too early" + (f", {message}" if message.startswith("expected") else "")
    return FileError(Fault(name, line_at(data, start + offset), f"malformed JSON: {message}"))


def _said(message: str) -> str:
    if message.startswith("Expecting "):
        return "expected " + message.removeprefix("Expecting ").removesuffix(" enclosed in double quotes")
    return message[0].lower() + message[1:]
