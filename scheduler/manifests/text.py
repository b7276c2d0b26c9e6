"""Bytes looked at before they are read: which notation they are in, and where their lines are."""

import codecs
import mmap
import re
import tempfile
from typing import Literal

from scheduler.manifests.faults import Fault, FileError
from scheduler.manifests.sources import Data, release

Notation = Literal["json", "yaml", "empty"]

_BLOCK = 1 << 20
_START = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|---[^\S\n]*(?:\n|\Z)|#[^\n]*(?:\n|\Z))*")
_JSON = re.compile(rb"\{\s*(?:[\"}]|\Z)|\[\s*(?:[\"{\[\]\dtfn-]|\Z)")  # not YAML's `{a: b}`
ZIP = b"PK\x03\x04"
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def notation(data: Data) -> Notation:
    """By the first sign that is no white space, comment or separator, much as the Kubernetes tools do."""
    match = _START.match(data)
    start = match.end() if match else 0
    if start >= len(data):
        return "empty"
    return "json" if _JSON.match(data, start) else "yaml"


def begins_as(head: bytes) -> Notation:
    """The notation of a text of which only the beginning is known; it may be in UTF-16."""
    if head[:2] in UTF16:
        head = head.decode("utf-16", "ignore").encode()
    return notation(head)


def as_utf8(name: str, data: Data) -> Data:
    """UTF-16 (what a Windows shell writes for `>`) becomes UTF-8. Raises FileError for what is no text."""
    if data[:2] in UTF16:
        return _from_utf16(name, data)
    for start in range(0, len(data), _BLOCK):
        if (at := data.find(b"\0", start, start + _BLOCK)) >= 0:
            raise FileError(Fault(name, line_at(data, at), _no_text(data)))
        release(data, start)
    return data


def _no_text(data: Data) -> str:
    if data[:4] == ZIP:
        return "a zip archive, expected YAML or JSON: unpack it, or compress the file with gzip"
    return "not a text file (byte 0 in it), expected YAML or JSON"


def _from_utf16(name: str, data: Data) -> Data:
    decoder = codecs.getincrementaldecoder("utf-16")()
    with tempfile.TemporaryFile() as target:
        try:
            for start in range(0, len(data), _BLOCK):
                target.write(decoder.decode(data[start : start + _BLOCK], start + _BLOCK >= len(data)).encode())
                release(data, start)
        except UnicodeError:
            raise FileError(Fault(name, 0, "damaged UTF-16 text, expected UTF-8")) from None
        target.flush()
        return mmap.mmap(target.fileno(), 0, access=mmap.ACCESS_READ) if target.tell() else b""


def line_at(data: Data, offset: int, after: int = 0) -> int:
    """The line (from 1) of a byte, counted from the byte `after`."""
    starts = range(after, offset, _BLOCK)
    return 1 + sum(data[start : min(start + _BLOCK, offset)].count(b"\n") for start in starts)
