"""The lines around a fault, so that a person need not open the file."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice

from scheduler.manifests.faults import Fault, FileError
from scheduler.manifests.limits import MIB, Limits
from scheduler.manifests.sources import Budget, Source, opened
from scheduler.manifests.text import as_utf8

Excerpt = list[tuple[int, str]]
"""Line numbers (from 1) and texts; the last is the line of the fault."""

SHOWN_FAULTS = 20
LINES_BEFORE = 2
WIDTH = 200
MOST_BYTES = 32 * MIB


def excerpts(sources: Iterable[Source], faults: Iterable[Fault]) -> dict[Fault, Excerpt]:
    """For the first faults that have a line, where their file is not too large to be read once more."""
    by_file: dict[str, list[Fault]] = defaultdict(list)
    for fault in islice((one for one in faults if one.line), SHOWN_FAULTS):
        by_file[fault.file].append(fault)
    found: dict[Fault, Excerpt] = {}
    for source in sources:
        if wanted := by_file.get(source.name):
            lines = _lines(source)
            found |= {fault: _around(lines, fault.line) for fault in wanted if fault.line <= len(lines)}
    return found


def _lines(source: Source) -> list[bytes]:
    try:
        with opened(source, Budget(Limits(total_bytes=MOST_BYTES))) as data:
            return bytes(as_utf8(source.name, data)[:]).split(b"\n")
    except FileError:
        return []


def _around(lines: list[bytes], line: int) -> Excerpt:
    first = max(1, line - LINES_BEFORE)
    texts = [one.decode(errors="replace").rstrip("\r")[:WIDTH] for one in lines[first - 1 : line]]
    return list(enumerate(texts, first))
