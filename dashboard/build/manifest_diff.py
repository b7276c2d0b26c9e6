"""What a change does to a manifest, as lines of YAML: each one below the keys that lead to it, all else left out."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

import yaml

_OF_THE_SERVER = ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation")
LEFT_OUT = "@"
"""In place of lines between two changes."""


def manifest_diff(before: dict[str, Any] | None, after: dict[str, Any]) -> list[str]:
    """Lines that begin with ` `, `-` or `+`. Of an object that is new nobody writes the status."""
    if before is None:
        after = {name: part for name, part in after.items() if name != "status"}
    return list(_lines(_yaml(before), _yaml(_without_emptied(before, after))))


def _lines(before: list[str], after: list[str]) -> Iterator[str]:
    """Keys that lead to a change are the same on both sides, and those before the last change lead there as well."""
    end = -1
    for tag, i, i_end, j, j_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        own, at = (after, j) if tag == "insert" else (before, i)
        way = [place + j - at for place in _way(own, at) if place + j - at >= end]
        if 0 <= end < j - len(way):
            yield LEFT_OUT
        yield from (f" {after[place]}" for place in way)
        yield from (f"-{line}" for line in before[i:i_end])
        yield from (f"+{line}" for line in after[j:j_end])
        end = j_end


def _way(lines: list[str], at: int) -> list[int]:
    """Places of the lines that hold this one, the outermost first. A list stands as far in as its key."""
    indent, is_item, found = _indent(lines[at]), _is_item(lines[at]), list[int]()
    for place in range(at - 1, -1, -1):
        line = lines[place]
        if _indent(line) < indent or (_indent(line) == indent and is_item and not _is_item(line)):
            indent, is_item = _indent(line), _is_item(line)
            found.append(place)
    return found[::-1]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _is_item(line: str) -> bool:
    return line.lstrip(" ").startswith("- ")


def _without_emptied(before: Any, after: Any) -> Any:
    """Without the mappings that the change left empty: they say nothing any more."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after
    kept = {name: _without_emptied(before.get(name), part) for name, part in after.items()}
    return {name: part for name, part in kept.items() if part != {} or not before.get(name)}


def _yaml(manifest: dict[str, Any] | None) -> list[str]:
    if manifest is None:
        return []
    if "metadata" in manifest:
        own = manifest["metadata"].items()
        manifest = {**manifest, "metadata": {name: value for name, value in own if name not in _OF_THE_SERVER}}
    text: str = yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True)
    return text.splitlines()
