"""One object as found in a file, whatever the notation: its raw value, and where its fields are."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Line = Callable[[str], int]
"""Line (from 1) of the field at a path; "" is the object itself."""


@dataclass(slots=True)
class Item:
    """`value` is anything that JSON can say. `faults`: what was already wrong in reading it: line and message."""

    value: Any
    file: str
    line: Line
    default_kind: str = ""  # of the list it stands in (`PodList`), for items without one
    default_api_version: str = ""
    faults: list[tuple[int, str]] = field(default_factory=list)


def type_name(value: Any) -> str:
    """What JSON calls the type of a value, with its article."""
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), "something else")
