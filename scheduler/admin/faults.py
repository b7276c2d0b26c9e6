"""What is wrong with a form, in the words of the API server, and the row or line that it is about."""

import re
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError

from scheduler.admin.paths import Path, dotted
from scheduler.admin.rows import Row, Rows, RowsWidget
from scheduler.engine.errors import Invalid
from scheduler.manifests.check import told
from scheduler.manifests.locate import field_line

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
MOST_PATHS = 8


def told_at(fault: Invalid, text: str) -> str:
    """The API server's words; with its line where the fault is in the YAML alone."""
    if not text or not fault.path:
        return told(fault)
    return f"Line {field_line(text, fault.path) + 1}: {told(fault)}"


def is_below(path: str, place: str) -> bool:
    return path == place or path.startswith((f"{place}.", f"{place}["))


def mark(widget: Any, fault: ValidationError) -> None:
    """Remember the row that a field's own complaint is about."""
    if isinstance(widget, RowsWidget) and fault.params and "row" in fault.params:
        widget.faults.setdefault(fault.params["row"], []).append(str(fault.message) % fault.params)


def mark_path(widget: Any, rows: Any, place: Path, fault: Invalid) -> None:
    """Remember the row that a path of the manifest is about: by its index, its key, or the value that is quoted."""
    if not isinstance(widget, RowsWidget) or not isinstance(rows, Rows):
        return
    at = _row_of(rows, fault.path.removeprefix(dotted(place)), fault.message)
    if at is not None:
        widget.faults.setdefault(at, []).append(fault.message)


def _row_of(rows: Sequence[Row], rest: str, message: str) -> int | None:
    key = re.match(r"\[([^\]]*)\]", rest)
    if key and key[1].isdecimal() and int(key[1]) < len(rows):
        return int(key[1])
    quoted = _QUOTED.search(message)
    words = {one for one in (key and key[1], quoted and quoted[1]) if one}
    return next((place for place, row in enumerate(rows) if words & {text.strip() for text in row.values()}), None)


def overtaken(theirs: Sequence[str], clashes: Sequence[str]) -> str:
    """What somebody must know whose form is older than the object."""
    if set(theirs) == set(clashes):
        return f"Somebody changed {_listed(theirs)} as well: what stands below is yours. Look, then save again."
    text = f"Somebody changed this object while you edited it: {_listed(theirs)}. "
    if clashes:
        return f"{text}You both changed {_listed(clashes)}: what stands below is yours. Look, then save again."
    return f"{text}Below are both changes together. Look, then save again."


def _listed(paths: Sequence[str]) -> str:
    more = len(paths) - MOST_PATHS
    return ", ".join(paths[:MOST_PATHS]) + (f" and {more} more" if more > 0 else "")
