"""Places in a manifest."""

from collections.abc import Iterable
from typing import Any

Path = tuple[str, ...]


def found(manifest: dict[str, Any], path: Iterable[str]) -> Any:
    """The value at a path, None where there is none."""
    value: Any = manifest
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def put(manifest: dict[str, Any], path: Path, value: Any) -> None:
    """Set the value at a path; something empty is taken out instead."""
    place = manifest
    for step in path[:-1]:
        if not isinstance(place.get(step), dict):
            place[step] = {}
        place = place[step]
    if value is None or value is False or value in ("", [], {}):  # 0 is a value
        place.pop(path[-1], None)
    else:
        place[path[-1]] = value


def dotted(path: Iterable[str]) -> str:
    return ".".join(path)
